"""The installed app: a file that it is opened with, and the offer to install it."""

from playwright.sync_api import Page, expect

from tests.browser.app_server import Table

# As the browser of an installed app has it: one file, as soon as somebody waits for it.
LAUNCHED = """
    const file = new File(["round,player,bid,tricks\\n"], "evening.csv", { type: "text/csv" });
    const launch = { files: [{ getFile: async () => file }] };
    window.launchQueue = { setConsumer: (consumer) => consumer(launch) };
"""


def test_the_file_stands_in_the_form(table: Table, phone: Page) -> None:
    phone.add_init_script(
        f"Object.defineProperty(window, 'launchQueue', {{writable: true}});{LAUNCHED}"
    )
    phone.goto("/import")
    phone.wait_for_function("document.getElementById('file').files.length === 1")
    assert phone.evaluate("document.getElementById('file').files[0].name") == "evening.csv"


def test_the_button_is_there_where_the_browser_offers_it(table: Table, phone: Page) -> None:
    phone.goto("/settings")
    phone.wait_for_load_state("networkidle")
    button = phone.get_by_role("button", name="Install as an app")
    expect(button).to_be_hidden()
    phone.evaluate(
        "const offer = new Event('beforeinstallprompt', {cancelable: true});"
        "offer.prompt = () => document.title = 'asked';"
        "dispatchEvent(offer)"
    )
    button.tap()
    expect(phone).to_have_title("asked")
    expect(button).to_be_hidden()
