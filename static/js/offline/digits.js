// Numbers as they are typed on Arabic, Persian and Hindi keyboards.

const ZEROS = [0x966, 0x6f0, 0x660]; // Devanagari, Persian, Arabic; nine more digits follow each

/** Return a typed number with the digits 0 to 9. */
export function plainDigits(typed) {
  const plain = (digit) => digit.codePointAt() - ZEROS.find((zero) => zero <= digit.codePointAt());
  return typed.replace(/[\u0660-\u0669\u06f0-\u06f9\u0966-\u096f]/g, plain).replace("\u066b", ".");
}
