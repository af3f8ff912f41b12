BEGIN TRANSACTION;
CREATE TABLE "_sqlite_migrations" (
   "id" INTEGER PRIMARY KEY,
   "migration_set" TEXT,
   "name" TEXT,
   "applied_at" TEXT
);
INSERT INTO "_sqlite_migrations" VALUES(1,'scorekeeper','facts_journal_results','2026-11-22 13:36:32.561988+00:00');
CREATE TABLE bids (
    game_id TEXT NOT NULL,
    round INTEGER NOT NULL,
    seat INTEGER NOT NULL CHECK (seat >= 0),
    bid TEXT CHECK (bid IN ('nil', 'blind nil') OR bid GLOB '[1-9]' OR bid GLOB '1[0-9]'),
    tricks INTEGER CHECK (tricks >= 0),
    tally INTEGER CHECK (tally >= 0),
    PRIMARY KEY (game_id, round, seat),
    FOREIGN KEY (game_id, round) REFERENCES rounds(game_id, round) ON DELETE CASCADE
) STRICT;
INSERT INTO "bids" VALUES('b2p9h8tq4h',1,0,'10',10,NULL);
INSERT INTO "bids" VALUES('b2p9h8tq4h',1,1,'1',0,NULL);
INSERT INTO "bids" VALUES('b2p9h8tq4h',1,2,'1',0,NULL);
INSERT INTO "bids" VALUES('b2p9h8tq4h',1,3,'1',0,NULL);
INSERT INTO "bids" VALUES('b2p9h8tq4h',2,0,'10',10,NULL);
INSERT INTO "bids" VALUES('b2p9h8tq4h',2,1,'1',0,NULL);
INSERT INTO "bids" VALUES('b2p9h8tq4h',2,2,'1',0,NULL);
INSERT INTO "bids" VALUES('b2p9h8tq4h',2,3,'1',0,NULL);
INSERT INTO "bids" VALUES('mt1q3ja619',1,0,'10',10,NULL);
INSERT INTO "bids" VALUES('mt1q3ja619',1,1,'1',0,NULL);
INSERT INTO "bids" VALUES('mt1q3ja619',1,2,'1',0,NULL);
INSERT INTO "bids" VALUES('mt1q3ja619',1,3,'1',0,NULL);
INSERT INTO "bids" VALUES('mt1q3ja619',2,0,'10',10,NULL);
INSERT INTO "bids" VALUES('mt1q3ja619',2,1,'1',0,NULL);
INSERT INTO "bids" VALUES('mt1q3ja619',2,2,'1',0,NULL);
INSERT INTO "bids" VALUES('mt1q3ja619',2,3,'1',0,NULL);
INSERT INTO "bids" VALUES('m3g1sw38m6',1,1,'2',3,NULL);
INSERT INTO "bids" VALUES('m3g1sw38m6',1,2,'1',1,NULL);
INSERT INTO "bids" VALUES('m3g1sw38m6',1,3,'4',3,NULL);
INSERT INTO "bids" VALUES('m3g1sw38m6',1,0,'3',3,NULL);
INSERT INTO "bids" VALUES('m3g1sw38m6',2,0,'3',NULL,NULL);
INSERT INTO "bids" VALUES('m3g1sw38m6',2,1,NULL,NULL,NULL);
INSERT INTO "bids" VALUES('m3g1sw38m6',2,2,NULL,NULL,NULL);
INSERT INTO "bids" VALUES('m3g1sw38m6',2,3,NULL,NULL,NULL);
INSERT INTO "bids" VALUES('chhb6bbqtd',1,0,'10',10,NULL);
INSERT INTO "bids" VALUES('chhb6bbqtd',1,1,'1',0,NULL);
INSERT INTO "bids" VALUES('chhb6bbqtd',1,2,'1',0,NULL);
INSERT INTO "bids" VALUES('chhb6bbqtd',1,3,'1',0,NULL);
CREATE TABLE changes (
    id INTEGER PRIMARY KEY,
    game_id TEXT NOT NULL REFERENCES games(id),
    version INTEGER NOT NULL CHECK (version > 0),
    at TEXT NOT NULL,
    phone_id TEXT REFERENCES phones(id),
    label TEXT,
    kind TEXT NOT NULL,
    round INTEGER,
    before TEXT CHECK (before IS NULL OR json_valid(before)),
    after TEXT CHECK (after IS NULL OR json_valid(after)),
    stands INTEGER NOT NULL,
    follows INTEGER,
    hash TEXT NOT NULL,
    UNIQUE (game_id, version)
) STRICT;
INSERT INTO "changes" VALUES(1,'b2p9h8tq4h',1,'2026-01-03T20:15:03.000+00:00','zyvnbgnv5j4brbz9je9m7vy3mb',NULL,'begin',NULL,NULL,'{"table_id": "zmfvf0c1by", "rules": "cutthroat-lite", "house_rules": "", "rule_values": {"key": "cutthroat-lite", "name": "Cutthroat Spades LITE", "players": [3, 4, 5], "partnerships": false, "target": 125, "tricks": 10, "trick_points": 10, "set_points": 10, "nil_points": 50, "blind_nil_points": null, "blind_nil_deficit": null, "blind_nil_partners": "both", "double_nil_points": null, "failed_nil_tricks": "overtricks", "overtrick_points": 1, "overtrick_cap": 5, "bag_limit": 6, "bag_penalty": 10, "bag_remainder": "dropped", "minimum_bid": 1, "bids_may_equal_tricks": true, "board": null, "ten_for": null, "first_round_bids_itself": false, "mercy": null, "first_dealer": "last"}, "first_dealer": 3, "stake": null, "started": "2026-01-03T20:15:03.000+00:00", "players": [1, 2, 3, 4]}',1,NULL,'ca58381b985aeae49c99c7f096c0df8ea45d179e4ce0a833e8cd6df6119c4744');
INSERT INTO "changes" VALUES(2,'b2p9h8tq4h',2,'2026-01-03T20:15:04.000+00:00','zyvnbgnv5j4brbz9je9m7vy3mb',NULL,'scored',1,NULL,'{"bids": [10, 1, 1, 1], "tricks": [10, 0, 0, 0]}',2,1,'4387ca63d8084d6eb5019fe3dc376697c203263d1ff0a6cfcd9b43dc2dfd0eec');
INSERT INTO "changes" VALUES(3,'b2p9h8tq4h',3,'2026-01-03T20:15:05.000+00:00','zyvnbgnv5j4brbz9je9m7vy3mb',NULL,'scored',2,NULL,'{"bids": [10, 1, 1, 1], "tricks": [10, 0, 0, 0]}',3,2,'153963bf2a8e7874fd7230af148a5d51965273d8791c108da055586e6b5e7534');
INSERT INTO "changes" VALUES(4,'mt1q3ja619',1,'2026-01-03T20:15:06.000+00:00','zyvnbgnv5j4brbz9je9m7vy3mb',NULL,'begin',NULL,NULL,'{"table_id": "zmfvf0c1by", "rules": "cutthroat-lite", "house_rules": "", "rule_values": {"key": "cutthroat-lite", "name": "Cutthroat Spades LITE", "players": [3, 4, 5], "partnerships": false, "target": 125, "tricks": 10, "trick_points": 10, "set_points": 10, "nil_points": 50, "blind_nil_points": null, "blind_nil_deficit": null, "blind_nil_partners": "both", "double_nil_points": null, "failed_nil_tricks": "overtricks", "overtrick_points": 1, "overtrick_cap": 5, "bag_limit": 6, "bag_penalty": 10, "bag_remainder": "dropped", "minimum_bid": 1, "bids_may_equal_tricks": true, "board": null, "ten_for": null, "first_round_bids_itself": false, "mercy": null, "first_dealer": "last"}, "first_dealer": 3, "stake": null, "started": "2026-01-03T20:15:06.000+00:00", "players": [1, 2, 5, 4]}',1,NULL,'08bdf0da417f267c5e6ce6d28974c172cbc1ecb5f4e797b4d1e06156c19f63b6');
INSERT INTO "changes" VALUES(5,'mt1q3ja619',2,'2026-01-03T20:15:07.000+00:00','zyvnbgnv5j4brbz9je9m7vy3mb',NULL,'scored',1,NULL,'{"bids": [10, 1, 1, 1], "tricks": [10, 0, 0, 0]}',2,1,'da1f992cd8e411ec9e705baf16ec094f8a7b56947385a7bd519815f863bf936c');
INSERT INTO "changes" VALUES(6,'mt1q3ja619',3,'2026-01-03T20:15:08.000+00:00','zyvnbgnv5j4brbz9je9m7vy3mb',NULL,'scored',2,NULL,'{"bids": [10, 1, 1, 1], "tricks": [10, 0, 0, 0]}',3,2,'5c6be620fba8cd782addddbd098d5e8bc3c4de98164379f3573cfe554151ab41');
INSERT INTO "changes" VALUES(7,'m3g1sw38m6',1,'2026-01-03T20:15:09.000+00:00','zyvnbgnv5j4brbz9je9m7vy3mb',NULL,'begin',NULL,NULL,'{"table_id": "zmfvf0c1by", "rules": "cutthroat-lite", "house_rules": "", "rule_values": {"key": "cutthroat-lite", "name": "Cutthroat Spades LITE", "players": [3, 4, 5], "partnerships": false, "target": 125, "tricks": 10, "trick_points": 10, "set_points": 10, "nil_points": 50, "blind_nil_points": null, "blind_nil_deficit": null, "blind_nil_partners": "both", "double_nil_points": null, "failed_nil_tricks": "overtricks", "overtrick_points": 1, "overtrick_cap": 5, "bag_limit": 6, "bag_penalty": 10, "bag_remainder": "dropped", "minimum_bid": 1, "bids_may_equal_tricks": true, "board": null, "ten_for": null, "first_round_bids_itself": false, "mercy": null, "first_dealer": "last"}, "first_dealer": 3, "stake": null, "started": "2026-01-03T20:15:09.000+00:00", "players": [1, 2, 3, 4]}',1,NULL,'d79e439681d5ea8681a219ce37ac38ce7ed13eb1b7606f1523eb2ad63c386f09');
INSERT INTO "changes" VALUES(8,'m3g1sw38m6',2,'2026-01-03T20:15:10.000+00:00','zyvnbgnv5j4brbz9je9m7vy3mb',NULL,'scored',1,NULL,'{"bids": [3, 2, 1, 4], "tricks": [3, 3, 1, 3]}',2,1,'8d0bbd7b8a40207ce08ba197da9a1739f292cd7d20eb08dcaab09e2e03ba72b0');
INSERT INTO "changes" VALUES(9,'m3g1sw38m6',3,'2026-01-03T20:15:11.000+00:00','zyvnbgnv5j4brbz9je9m7vy3mb',NULL,'corrected',1,'{"bids": [3, 2, 1, 4], "tricks": [3, 3, 1, 3]}','{"bids": [2, 2, 1, 4], "tricks": [3, 3, 1, 3]}',3,2,'5d1490025a31de300144ca2a5e49c57177a2002666a720b7e25f8eaab4980e84');
INSERT INTO "changes" VALUES(10,'m3g1sw38m6',4,'2026-01-03T20:15:12.000+00:00','zyvnbgnv5j4brbz9je9m7vy3mb',NULL,'undo',1,'{"bids": [2, 2, 1, 4], "tricks": [3, 3, 1, 3]}','{"bids": [3, 2, 1, 4], "tricks": [3, 3, 1, 3]}',2,NULL,'2c1a403472d017a19578f0a8180baf2caa886b82b572b4cb3019eede82857e6b');
INSERT INTO "changes" VALUES(11,'m3g1sw38m6',5,'2026-01-03T20:15:13.000+00:00','zyvnbgnv5j4brbz9je9m7vy3mb',NULL,'bid',2,NULL,'{"bids": [3, null, null, null]}',5,2,'c864c2c6d29184dc9570968630bb34ef343236564903ac694853308f0c2e67f5');
INSERT INTO "changes" VALUES(12,'chhb6bbqtd',1,'2026-01-03T20:15:03.000+00:00','2tgn1t64zhgkpb9h9kj7hvn2s1',NULL,'begin',NULL,NULL,'{"table_id": "6kxqsd66da", "rules": "cutthroat-lite", "house_rules": "", "rule_values": {"key": "cutthroat-lite", "name": "Cutthroat Spades LITE", "players": [3, 4, 5], "partnerships": false, "target": 125, "tricks": 10, "trick_points": 10, "set_points": 10, "nil_points": 50, "blind_nil_points": null, "blind_nil_deficit": null, "blind_nil_partners": "both", "double_nil_points": null, "failed_nil_tricks": "overtricks", "overtrick_points": 1, "overtrick_cap": 5, "bag_limit": 6, "bag_penalty": 10, "bag_remainder": "dropped", "minimum_bid": 1, "bids_may_equal_tricks": true, "board": null, "ten_for": null, "first_round_bids_itself": false, "mercy": null, "first_dealer": "last"}, "first_dealer": 3, "stake": null, "started": "2026-01-03T20:15:03.000+00:00", "players": [6, 7, 8, 9]}',1,NULL,'f5b1036be42bed18be127e3e1412e31043dcba0919ed92ecc5bcaf7dbd4ac30b');
INSERT INTO "changes" VALUES(13,'chhb6bbqtd',2,'2026-01-03T20:15:04.000+00:00','2tgn1t64zhgkpb9h9kj7hvn2s1',NULL,'scored',1,NULL,'{"bids": [10, 1, 1, 1], "tricks": [10, 0, 0, 0]}',2,1,'5941d7a1f10599801eb17444c25e60000449c911626eeca84cf594f71f374a2b');
INSERT INTO "changes" VALUES(14,'mt1q3ja619',4,'2026-01-03T20:15:14.000+00:00','zyvnbgnv5j4brbz9je9m7vy3mb',NULL,'deleted',NULL,NULL,NULL,3,NULL,'58ebae54e91fab04fb9329847babd5a279c96b5b2fde16c9998b88b69183835d');
INSERT INTO "changes" VALUES(15,'03fve83m08',1,'2026-01-03T20:15:03.000+00:00',NULL,'Ana''s phone','begin',NULL,NULL,'{"table_id": "zmfvf0c1by", "rules": "cutthroat-lite", "house_rules": "", "rule_values": {"key": "cutthroat-lite", "name": "Cutthroat Spades LITE", "players": [3, 4, 5], "partnerships": false, "target": 125, "tricks": 10, "trick_points": 10, "set_points": 10, "nil_points": 50, "blind_nil_points": null, "blind_nil_deficit": null, "blind_nil_partners": "both", "double_nil_points": null, "failed_nil_tricks": "overtricks", "overtrick_points": 1, "overtrick_cap": 5, "bag_limit": 6, "bag_penalty": 10, "bag_remainder": "dropped", "minimum_bid": 1, "bids_may_equal_tricks": true, "board": null, "ten_for": null, "first_round_bids_itself": false, "mercy": null, "first_dealer": "last"}, "first_dealer": 3, "stake": null, "started": "2026-01-03T20:15:03.000+00:00", "players": [1, 10, 11, 12]}',1,NULL,'50b97b929afd78266707763e36e34cc52e6894c0a98e1c373e98dbddd3741f0b');
INSERT INTO "changes" VALUES(16,'03fve83m08',2,'2026-01-03T20:15:04.000+00:00',NULL,'Ana''s phone','scored',1,NULL,'{"bids": [10, 1, 1, 1], "tricks": [10, 0, 0, 0]}',2,1,'f60dd72fcbe3554d1e109e2786891c77765cecf4a393591484dcfed9bb2e6776');
CREATE TABLE games (
    id TEXT PRIMARY KEY,
    table_id TEXT NOT NULL REFERENCES tables(id),
    rules TEXT NOT NULL,
    house_rules TEXT NOT NULL,
    rule_values TEXT NOT NULL CHECK (json_valid(rule_values)),
    first_dealer INTEGER NOT NULL CHECK (first_dealer >= 0),
    stake INTEGER CHECK (stake > 0),
    started TEXT NOT NULL,
    version INTEGER NOT NULL CHECK (version > 0),
    changed TEXT NOT NULL,
    removed TEXT
) STRICT;
INSERT INTO "games" VALUES('b2p9h8tq4h','zmfvf0c1by','cutthroat-lite','','{"key": "cutthroat-lite", "name": "Cutthroat Spades LITE", "players": [3, 4, 5], "partnerships": false, "target": 125, "tricks": 10, "trick_points": 10, "set_points": 10, "nil_points": 50, "blind_nil_points": null, "blind_nil_deficit": null, "blind_nil_partners": "both", "double_nil_points": null, "failed_nil_tricks": "overtricks", "overtrick_points": 1, "overtrick_cap": 5, "bag_limit": 6, "bag_penalty": 10, "bag_remainder": "dropped", "minimum_bid": 1, "bids_may_equal_tricks": true, "board": null, "ten_for": null, "first_round_bids_itself": false, "mercy": null, "first_dealer": "last"}',3,NULL,'2026-01-03T20:15:03.000+00:00',3,'2026-01-03T20:15:05.000+00:00',NULL);
INSERT INTO "games" VALUES('mt1q3ja619','zmfvf0c1by','cutthroat-lite','','{"key": "cutthroat-lite", "name": "Cutthroat Spades LITE", "players": [3, 4, 5], "partnerships": false, "target": 125, "tricks": 10, "trick_points": 10, "set_points": 10, "nil_points": 50, "blind_nil_points": null, "blind_nil_deficit": null, "blind_nil_partners": "both", "double_nil_points": null, "failed_nil_tricks": "overtricks", "overtrick_points": 1, "overtrick_cap": 5, "bag_limit": 6, "bag_penalty": 10, "bag_remainder": "dropped", "minimum_bid": 1, "bids_may_equal_tricks": true, "board": null, "ten_for": null, "first_round_bids_itself": false, "mercy": null, "first_dealer": "last"}',3,NULL,'2026-01-03T20:15:06.000+00:00',4,'2026-01-03T20:15:08.000+00:00','2026-01-03T20:15:14.000+00:00');
INSERT INTO "games" VALUES('m3g1sw38m6','zmfvf0c1by','cutthroat-lite','','{"key": "cutthroat-lite", "name": "Cutthroat Spades LITE", "players": [3, 4, 5], "partnerships": false, "target": 125, "tricks": 10, "trick_points": 10, "set_points": 10, "nil_points": 50, "blind_nil_points": null, "blind_nil_deficit": null, "blind_nil_partners": "both", "double_nil_points": null, "failed_nil_tricks": "overtricks", "overtrick_points": 1, "overtrick_cap": 5, "bag_limit": 6, "bag_penalty": 10, "bag_remainder": "dropped", "minimum_bid": 1, "bids_may_equal_tricks": true, "board": null, "ten_for": null, "first_round_bids_itself": false, "mercy": null, "first_dealer": "last"}',3,NULL,'2026-01-03T20:15:09.000+00:00',5,'2026-01-03T20:15:13.000+00:00',NULL);
INSERT INTO "games" VALUES('chhb6bbqtd','6kxqsd66da','cutthroat-lite','','{"key": "cutthroat-lite", "name": "Cutthroat Spades LITE", "players": [3, 4, 5], "partnerships": false, "target": 125, "tricks": 10, "trick_points": 10, "set_points": 10, "nil_points": 50, "blind_nil_points": null, "blind_nil_deficit": null, "blind_nil_partners": "both", "double_nil_points": null, "failed_nil_tricks": "overtricks", "overtrick_points": 1, "overtrick_cap": 5, "bag_limit": 6, "bag_penalty": 10, "bag_remainder": "dropped", "minimum_bid": 1, "bids_may_equal_tricks": true, "board": null, "ten_for": null, "first_round_bids_itself": false, "mercy": null, "first_dealer": "last"}',3,NULL,'2026-01-03T20:15:03.000+00:00',2,'2026-01-03T20:15:04.000+00:00',NULL);
INSERT INTO "games" VALUES('03fve83m08','import-j8jdahm9jw','cutthroat-lite','','{"key": "cutthroat-lite", "name": "Cutthroat Spades LITE", "players": [3, 4, 5], "partnerships": false, "target": 125, "tricks": 10, "trick_points": 10, "set_points": 10, "nil_points": 50, "blind_nil_points": null, "blind_nil_deficit": null, "blind_nil_partners": "both", "double_nil_points": null, "failed_nil_tricks": "overtricks", "overtrick_points": 1, "overtrick_cap": 5, "bag_limit": 6, "bag_penalty": 10, "bag_remainder": "dropped", "minimum_bid": 1, "bids_may_equal_tricks": true, "board": null, "ten_for": null, "first_round_bids_itself": false, "mercy": null, "first_dealer": "last"}',3,NULL,'2026-01-03T20:15:03.000+00:00',2,'2026-01-03T20:15:04.000+00:00','2026-01-03T20:15:03.000+00:00');
CREATE TABLE keys (
    hash TEXT PRIMARY KEY,
    table_id TEXT NOT NULL REFERENCES tables(id),
    label TEXT NOT NULL,
    made TEXT NOT NULL,
    ended TEXT
) STRICT;
INSERT INTO "keys" VALUES('3ac7229b78dd4cca98eccd72729f2fa94190c41f3c711f9c66cf36c7805069d2','zmfvf0c1by','Kim''s','2026-01-03T20:15:15.000+00:00',NULL);
CREATE TABLE outcomes (
    game_id TEXT PRIMARY KEY REFERENCES games(id),
    round INTEGER NOT NULL,
    reason TEXT NOT NULL,
    side INTEGER NOT NULL
) STRICT;
INSERT INTO "outcomes" VALUES('b2p9h8tq4h',2,'target',0);
CREATE TABLE phones (
    id TEXT PRIMARY KEY,
    table_id TEXT NOT NULL REFERENCES tables(id),
    label TEXT NOT NULL,
    joined TEXT NOT NULL,
    removed TEXT
) STRICT;
INSERT INTO "phones" VALUES('zyvnbgnv5j4brbz9je9m7vy3mb','zmfvf0c1by','Kim''s phone','2026-01-03T20:15:02.000+00:00',NULL);
INSERT INTO "phones" VALUES('2tgn1t64zhgkpb9h9kj7hvn2s1','6kxqsd66da','Ana''s phone','2026-01-03T20:15:02.000+00:00',NULL);
CREATE TABLE player_games (
    player_id INTEGER NOT NULL REFERENCES players(id),
    started TEXT NOT NULL,
    game_id TEXT NOT NULL REFERENCES games(id),
    rules TEXT NOT NULL,
    sides INTEGER NOT NULL DEFAULT 0,
    place INTEGER,
    comeback INTEGER NOT NULL DEFAULT 0,
    run INTEGER NOT NULL DEFAULT 0,
    run_in_rules INTEGER NOT NULL DEFAULT 0,
    rounds INTEGER NOT NULL DEFAULT 0,
    points INTEGER NOT NULL DEFAULT 0,
    bags INTEGER NOT NULL DEFAULT 0,
    bids INTEGER NOT NULL DEFAULT 0,
    bid_tricks INTEGER NOT NULL DEFAULT 0,
    taken INTEGER NOT NULL DEFAULT 0,
    made INTEGER NOT NULL DEFAULT 0,
    exact INTEGER NOT NULL DEFAULT 0,
    nils INTEGER NOT NULL DEFAULT 0,
    nils_made INTEGER NOT NULL DEFAULT 0,
    blind_nils INTEGER NOT NULL DEFAULT 0,
    blind_nils_made INTEGER NOT NULL DEFAULT 0,
    penalties INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (player_id, started, game_id)
) STRICT, WITHOUT ROWID;
INSERT INTO "player_games" VALUES(1,'2026-01-03T20:15:03.000+00:00','b2p9h8tq4h','cutthroat-lite',4,1,0,1,1,2,200,0,2,20,20,2,2,0,0,0,0,0);
INSERT INTO "player_games" VALUES(1,'2026-01-03T20:15:09.000+00:00','m3g1sw38m6','cutthroat-lite',4,NULL,0,0,0,1,30,0,1,3,3,1,1,0,0,0,0,0);
INSERT INTO "player_games" VALUES(2,'2026-01-03T20:15:03.000+00:00','b2p9h8tq4h','cutthroat-lite',4,2,0,0,0,2,-20,0,2,2,0,0,0,0,0,0,0,0);
INSERT INTO "player_games" VALUES(2,'2026-01-03T20:15:09.000+00:00','m3g1sw38m6','cutthroat-lite',4,NULL,0,0,0,1,21,1,1,2,3,1,0,0,0,0,0,0);
INSERT INTO "player_games" VALUES(3,'2026-01-03T20:15:03.000+00:00','b2p9h8tq4h','cutthroat-lite',4,2,0,0,0,2,-20,0,2,2,0,0,0,0,0,0,0,0);
INSERT INTO "player_games" VALUES(3,'2026-01-03T20:15:09.000+00:00','m3g1sw38m6','cutthroat-lite',4,NULL,0,0,0,1,10,0,1,1,1,1,1,0,0,0,0,0);
INSERT INTO "player_games" VALUES(4,'2026-01-03T20:15:03.000+00:00','b2p9h8tq4h','cutthroat-lite',4,2,0,0,0,2,-20,0,2,2,0,0,0,0,0,0,0,0);
INSERT INTO "player_games" VALUES(4,'2026-01-03T20:15:09.000+00:00','m3g1sw38m6','cutthroat-lite',4,NULL,0,0,0,1,-40,0,1,4,3,0,0,0,0,0,0,0);
INSERT INTO "player_games" VALUES(6,'2026-01-03T20:15:03.000+00:00','chhb6bbqtd','cutthroat-lite',4,NULL,0,0,0,1,100,0,1,10,10,1,1,0,0,0,0,0);
INSERT INTO "player_games" VALUES(7,'2026-01-03T20:15:03.000+00:00','chhb6bbqtd','cutthroat-lite',4,NULL,0,0,0,1,-10,0,1,1,0,0,0,0,0,0,0,0);
INSERT INTO "player_games" VALUES(8,'2026-01-03T20:15:03.000+00:00','chhb6bbqtd','cutthroat-lite',4,NULL,0,0,0,1,-10,0,1,1,0,0,0,0,0,0,0,0);
INSERT INTO "player_games" VALUES(9,'2026-01-03T20:15:03.000+00:00','chhb6bbqtd','cutthroat-lite',4,NULL,0,0,0,1,-10,0,1,1,0,0,0,0,0,0,0,0);
CREATE TABLE player_pairs (
    player_id INTEGER NOT NULL REFERENCES players(id),
    other_id INTEGER NOT NULL REFERENCES players(id),
    against INTEGER NOT NULL,
    ahead INTEGER NOT NULL,
    behind INTEGER NOT NULL,
    together INTEGER NOT NULL,
    together_won INTEGER NOT NULL,
    PRIMARY KEY (player_id, other_id)
) STRICT, WITHOUT ROWID;
INSERT INTO "player_pairs" VALUES(1,2,1,1,0,0,0);
INSERT INTO "player_pairs" VALUES(1,3,1,1,0,0,0);
INSERT INTO "player_pairs" VALUES(1,4,1,1,0,0,0);
INSERT INTO "player_pairs" VALUES(2,1,1,0,1,0,0);
INSERT INTO "player_pairs" VALUES(2,3,1,0,0,0,0);
INSERT INTO "player_pairs" VALUES(2,4,1,0,0,0,0);
INSERT INTO "player_pairs" VALUES(3,1,1,0,1,0,0);
INSERT INTO "player_pairs" VALUES(3,2,1,0,0,0,0);
INSERT INTO "player_pairs" VALUES(3,4,1,0,0,0,0);
INSERT INTO "player_pairs" VALUES(4,1,1,0,1,0,0);
INSERT INTO "player_pairs" VALUES(4,2,1,0,0,0,0);
INSERT INTO "player_pairs" VALUES(4,3,1,0,0,0,0);
CREATE TABLE player_totals (
    player_id INTEGER NOT NULL REFERENCES players(id),
    rules TEXT NOT NULL,
    table_id TEXT NOT NULL REFERENCES tables(id),
    begun INTEGER NOT NULL,
    games INTEGER NOT NULL,
    wins INTEGER NOT NULL,
    places INTEGER NOT NULL,
    rounds INTEGER NOT NULL,
    points INTEGER NOT NULL,
    bags INTEGER NOT NULL,
    bids INTEGER NOT NULL,
    bid_tricks INTEGER NOT NULL,
    taken INTEGER NOT NULL,
    made INTEGER NOT NULL,
    exact INTEGER NOT NULL,
    nils INTEGER NOT NULL,
    nils_made INTEGER NOT NULL,
    blind_nils INTEGER NOT NULL,
    blind_nils_made INTEGER NOT NULL,
    penalties INTEGER NOT NULL,
    PRIMARY KEY (player_id, rules)
) STRICT, WITHOUT ROWID;
INSERT INTO "player_totals" VALUES(1,'all','zmfvf0c1by',2,1,1,1,3,230,0,3,23,23,3,3,0,0,0,0,0);
INSERT INTO "player_totals" VALUES(1,'cutthroat-lite','zmfvf0c1by',2,1,1,1,3,230,0,3,23,23,3,3,0,0,0,0,0);
INSERT INTO "player_totals" VALUES(2,'all','zmfvf0c1by',2,1,0,2,3,1,1,3,4,3,1,0,0,0,0,0,0);
INSERT INTO "player_totals" VALUES(2,'cutthroat-lite','zmfvf0c1by',2,1,0,2,3,1,1,3,4,3,1,0,0,0,0,0,0);
INSERT INTO "player_totals" VALUES(3,'all','zmfvf0c1by',2,1,0,2,3,-10,0,3,3,1,1,1,0,0,0,0,0);
INSERT INTO "player_totals" VALUES(3,'cutthroat-lite','zmfvf0c1by',2,1,0,2,3,-10,0,3,3,1,1,1,0,0,0,0,0);
INSERT INTO "player_totals" VALUES(4,'all','zmfvf0c1by',2,1,0,2,3,-60,0,3,6,3,0,0,0,0,0,0,0);
INSERT INTO "player_totals" VALUES(4,'cutthroat-lite','zmfvf0c1by',2,1,0,2,3,-60,0,3,6,3,0,0,0,0,0,0,0);
INSERT INTO "player_totals" VALUES(6,'all','6kxqsd66da',1,0,0,0,1,100,0,1,10,10,1,1,0,0,0,0,0);
INSERT INTO "player_totals" VALUES(6,'cutthroat-lite','6kxqsd66da',1,0,0,0,1,100,0,1,10,10,1,1,0,0,0,0,0);
INSERT INTO "player_totals" VALUES(7,'all','6kxqsd66da',1,0,0,0,1,-10,0,1,1,0,0,0,0,0,0,0,0);
INSERT INTO "player_totals" VALUES(7,'cutthroat-lite','6kxqsd66da',1,0,0,0,1,-10,0,1,1,0,0,0,0,0,0,0,0);
INSERT INTO "player_totals" VALUES(8,'all','6kxqsd66da',1,0,0,0,1,-10,0,1,1,0,0,0,0,0,0,0,0);
INSERT INTO "player_totals" VALUES(8,'cutthroat-lite','6kxqsd66da',1,0,0,0,1,-10,0,1,1,0,0,0,0,0,0,0,0);
INSERT INTO "player_totals" VALUES(9,'all','6kxqsd66da',1,0,0,0,1,-10,0,1,1,0,0,0,0,0,0,0,0);
INSERT INTO "player_totals" VALUES(9,'cutthroat-lite','6kxqsd66da',1,0,0,0,1,-10,0,1,1,0,0,0,0,0,0,0,0);
CREATE TABLE players (
    id INTEGER PRIMARY KEY,
    table_id TEXT NOT NULL REFERENCES tables(id),
    name TEXT NOT NULL,
    same_name TEXT NOT NULL,
    merged_into INTEGER REFERENCES players(id)
) STRICT;
INSERT INTO "players" VALUES(1,'zmfvf0c1by','North','north',NULL);
INSERT INTO "players" VALUES(2,'zmfvf0c1by','East','east',NULL);
INSERT INTO "players" VALUES(3,'zmfvf0c1by','South','south',NULL);
INSERT INTO "players" VALUES(4,'zmfvf0c1by','West','west',NULL);
INSERT INTO "players" VALUES(5,'zmfvf0c1by','Souht','souht',3);
INSERT INTO "players" VALUES(6,'6kxqsd66da','North','north',NULL);
INSERT INTO "players" VALUES(7,'6kxqsd66da','East','east',NULL);
INSERT INTO "players" VALUES(8,'6kxqsd66da','South','south',NULL);
INSERT INTO "players" VALUES(9,'6kxqsd66da','West','west',NULL);
INSERT INTO "players" VALUES(10,'import-j8jdahm9jw','Zoe 0','zoe 0',NULL);
INSERT INTO "players" VALUES(11,'import-j8jdahm9jw','Yan','yan',NULL);
INSERT INTO "players" VALUES(12,'import-j8jdahm9jw','Xia','xia',NULL);
CREATE TABLE requests (
    table_id TEXT NOT NULL REFERENCES tables(id),
    request_key TEXT NOT NULL,
    content TEXT NOT NULL,
    game_id TEXT NOT NULL REFERENCES games(id),
    PRIMARY KEY (table_id, request_key)
) STRICT, WITHOUT ROWID;
INSERT INTO "requests" VALUES('zmfvf0c1by','again','2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881','b2p9h8tq4h');
CREATE TABLE results (
    game_id TEXT NOT NULL REFERENCES games(id),
    round INTEGER NOT NULL,
    seat INTEGER NOT NULL,
    side INTEGER NOT NULL,
    dealer INTEGER NOT NULL,
    bid TEXT NOT NULL,
    tricks INTEGER NOT NULL,
    nil_points INTEGER NOT NULL,
    contract_points INTEGER NOT NULL,
    overtrick_points INTEGER NOT NULL,
    bag_penalty INTEGER NOT NULL,
    points INTEGER NOT NULL,
    overtricks INTEGER NOT NULL,
    bags INTEGER NOT NULL,
    total INTEGER NOT NULL,
    made INTEGER CHECK (made IN (0, 1)),
    PRIMARY KEY (game_id, round, seat)
) STRICT;
INSERT INTO "results" VALUES('b2p9h8tq4h',1,0,0,3,'10',10,0,100,0,0,100,0,0,100,1);
INSERT INTO "results" VALUES('b2p9h8tq4h',1,1,1,3,'1',0,0,-10,0,0,-10,0,0,-10,0);
INSERT INTO "results" VALUES('b2p9h8tq4h',1,2,2,3,'1',0,0,-10,0,0,-10,0,0,-10,0);
INSERT INTO "results" VALUES('b2p9h8tq4h',1,3,3,3,'1',0,0,-10,0,0,-10,0,0,-10,0);
INSERT INTO "results" VALUES('b2p9h8tq4h',2,0,0,0,'10',10,0,100,0,0,100,0,0,200,1);
INSERT INTO "results" VALUES('b2p9h8tq4h',2,1,1,0,'1',0,0,-10,0,0,-10,0,0,-20,0);
INSERT INTO "results" VALUES('b2p9h8tq4h',2,2,2,0,'1',0,0,-10,0,0,-10,0,0,-20,0);
INSERT INTO "results" VALUES('b2p9h8tq4h',2,3,3,0,'1',0,0,-10,0,0,-10,0,0,-20,0);
INSERT INTO "results" VALUES('m3g1sw38m6',1,0,0,3,'3',3,0,30,0,0,30,0,0,30,1);
INSERT INTO "results" VALUES('m3g1sw38m6',1,1,1,3,'2',3,0,20,1,0,21,1,1,21,1);
INSERT INTO "results" VALUES('m3g1sw38m6',1,2,2,3,'1',1,0,10,0,0,10,0,0,10,1);
INSERT INTO "results" VALUES('m3g1sw38m6',1,3,3,3,'4',3,0,-40,0,0,-40,0,0,-40,0);
INSERT INTO "results" VALUES('chhb6bbqtd',1,0,0,3,'10',10,0,100,0,0,100,0,0,100,1);
INSERT INTO "results" VALUES('chhb6bbqtd',1,1,1,3,'1',0,0,-10,0,0,-10,0,0,-10,0);
INSERT INTO "results" VALUES('chhb6bbqtd',1,2,2,3,'1',0,0,-10,0,0,-10,0,0,-10,0);
INSERT INTO "results" VALUES('chhb6bbqtd',1,3,3,3,'1',0,0,-10,0,0,-10,0,0,-10,0);
CREATE TABLE rounds (
    game_id TEXT NOT NULL REFERENCES games(id),
    round INTEGER NOT NULL CHECK (round > 0),
    scored TEXT,
    PRIMARY KEY (game_id, round)
) STRICT;
INSERT INTO "rounds" VALUES('b2p9h8tq4h',1,'2026-01-03T20:15:04.000+00:00');
INSERT INTO "rounds" VALUES('b2p9h8tq4h',2,'2026-01-03T20:15:05.000+00:00');
INSERT INTO "rounds" VALUES('mt1q3ja619',1,'2026-01-03T20:15:07.000+00:00');
INSERT INTO "rounds" VALUES('mt1q3ja619',2,'2026-01-03T20:15:08.000+00:00');
INSERT INTO "rounds" VALUES('m3g1sw38m6',1,'2026-01-03T20:15:12.000+00:00');
INSERT INTO "rounds" VALUES('m3g1sw38m6',2,NULL);
INSERT INTO "rounds" VALUES('chhb6bbqtd',1,'2026-01-03T20:15:04.000+00:00');
CREATE TABLE rule_sets (
    id TEXT PRIMARY KEY,
    table_id TEXT NOT NULL REFERENCES tables(id),
    name TEXT NOT NULL,
    same_name TEXT NOT NULL,
    rules TEXT NOT NULL,
    house_rules TEXT NOT NULL CHECK (json_valid(house_rules)),
    version INTEGER NOT NULL CHECK (version > 0),
    UNIQUE (table_id, same_name)
) STRICT;
INSERT INTO "rule_sets" VALUES('gpwwc33j4t','zmfvf0c1by','Partnership Spades','partnership spades','partnership','{"target": "300"}',1);
CREATE TABLE seats (
    game_id TEXT NOT NULL REFERENCES games(id),
    seat INTEGER NOT NULL CHECK (seat >= 0),
    player_id INTEGER NOT NULL REFERENCES players(id),
    PRIMARY KEY (game_id, seat),
    UNIQUE (game_id, player_id)
) STRICT;
INSERT INTO "seats" VALUES('b2p9h8tq4h',0,1);
INSERT INTO "seats" VALUES('b2p9h8tq4h',1,2);
INSERT INTO "seats" VALUES('b2p9h8tq4h',2,3);
INSERT INTO "seats" VALUES('b2p9h8tq4h',3,4);
INSERT INTO "seats" VALUES('mt1q3ja619',0,1);
INSERT INTO "seats" VALUES('mt1q3ja619',1,2);
INSERT INTO "seats" VALUES('mt1q3ja619',2,3);
INSERT INTO "seats" VALUES('mt1q3ja619',3,4);
INSERT INTO "seats" VALUES('m3g1sw38m6',0,1);
INSERT INTO "seats" VALUES('m3g1sw38m6',1,2);
INSERT INTO "seats" VALUES('m3g1sw38m6',2,3);
INSERT INTO "seats" VALUES('m3g1sw38m6',3,4);
INSERT INTO "seats" VALUES('chhb6bbqtd',0,6);
INSERT INTO "seats" VALUES('chhb6bbqtd',1,7);
INSERT INTO "seats" VALUES('chhb6bbqtd',2,8);
INSERT INTO "seats" VALUES('chhb6bbqtd',3,9);
INSERT INTO "seats" VALUES('03fve83m08',0,1);
INSERT INTO "seats" VALUES('03fve83m08',1,10);
INSERT INTO "seats" VALUES('03fve83m08',2,11);
INSERT INTO "seats" VALUES('03fve83m08',3,12);
CREATE TABLE tables (
    id TEXT PRIMARY KEY,
    made TEXT NOT NULL
) STRICT;
INSERT INTO "tables" VALUES('zmfvf0c1by','2026-01-03T20:15:01.000+00:00');
INSERT INTO "tables" VALUES('6kxqsd66da','2026-01-03T20:15:01.000+00:00');
INSERT INTO "tables" VALUES('import-j8jdahm9jw','2026-01-03T20:15:17.000+00:00');
CREATE TABLE takers (
    game_id TEXT NOT NULL REFERENCES games(id),
    seat INTEGER NOT NULL CHECK (seat >= 0),
    phone_id TEXT NOT NULL REFERENCES phones(id),
    PRIMARY KEY (game_id, seat),
    UNIQUE (game_id, phone_id)
) STRICT;
INSERT INTO "takers" VALUES('m3g1sw38m6',1,'zyvnbgnv5j4brbz9je9m7vy3mb');
CREATE TABLE watches (
    hash TEXT PRIMARY KEY,
    game_id TEXT NOT NULL REFERENCES games(id),
    number INTEGER NOT NULL CHECK (number > 0),
    made TEXT NOT NULL,
    ended TEXT,
    UNIQUE (game_id, number)
) STRICT;
INSERT INTO "watches" VALUES('096b775c24fa27398d0a6445f3f5e889400c149db9cb9a1b1e08d582bb8a95b1','m3g1sw38m6',1,'2026-01-03T20:15:16.000+00:00',NULL);
CREATE UNIQUE INDEX "idx__sqlite_migrations_migration_set_name"
    ON "_sqlite_migrations" ("migration_set", "name");
CREATE INDEX keys_of_table ON keys (table_id);
CREATE INDEX phones_of_table ON phones (table_id);
CREATE UNIQUE INDEX players_of_table ON players (table_id, same_name) WHERE merged_into IS NULL;
CREATE INDEX players_merged ON players (merged_into) WHERE merged_into IS NOT NULL;
CREATE INDEX games_of_table ON games (table_id, removed, changed DESC, started DESC);
CREATE INDEX games_by_start ON games (table_id, started, id) WHERE removed IS NULL;
CREATE INDEX games_by_rules ON games (table_id, rules, started, id) WHERE removed IS NULL;
CREATE INDEX games_removed ON games (table_id, removed, id) WHERE removed IS NOT NULL;
CREATE INDEX seats_of_player ON seats (player_id);
CREATE INDEX changes_of_round ON changes (game_id, round, version);
CREATE TRIGGER changes_stay BEFORE UPDATE ON changes
BEGIN SELECT RAISE(ABORT, 'the journal is only ever appended to'); END;
CREATE TRIGGER changes_are_kept BEFORE DELETE ON changes
BEGIN SELECT RAISE(ABORT, 'the journal is only ever appended to'); END;
CREATE INDEX player_games_by_rules ON player_games (player_id, rules, started, game_id);
CREATE INDEX player_comebacks ON player_games (player_id, rules, comeback) WHERE comeback > 0;
CREATE INDEX player_runs ON player_games (player_id, run) WHERE run > 0;
CREATE INDEX player_runs_in_rules ON player_games (player_id, rules, run_in_rules)
WHERE run_in_rules > 0;
CREATE INDEX players_by_games ON player_totals (table_id, rules, -begun, player_id);
CREATE INDEX pairs_by_games ON player_pairs (player_id, -against - together);
CREATE VIEW score_sheet AS
SELECT games.table_id, results.game_id, games.started, games.rules, games.house_rules,
    results.round, results.dealer + 1 AS dealer, results.seat + 1 AS seat, players.name AS player,
    results.side + 1 AS side, results.bid, results.tricks, results.nil_points,
    results.contract_points, results.overtrick_points, results.bag_penalty, results.points,
    results.bags, results.total,
    CASE
        WHEN outcomes.round IS NOT results.round THEN ''
        WHEN outcomes.side = results.side THEN 'won'
        ELSE 'lost'
    END AS outcome
FROM results
JOIN games ON games.id = results.game_id
JOIN seats ON seats.game_id = results.game_id AND seats.seat = results.seat
JOIN players ON players.id = seats.player_id
LEFT JOIN outcomes ON outcomes.game_id = results.game_id
ORDER BY games.started, results.game_id, results.round, results.seat;
COMMIT;
PRAGMA user_version = 1;
