// Written by docs/make_ways.py: the usual ways to eight fan, with percent of the wins by each.
const GUIDE_WAYS = [
{"fan": "三色三步高", "share": 21, "hand": "W3W4W5 T4T5T6 B5B6B7B9B9T7T8T6"},
{"fan": "五门齐", "share": 11, "hand": "J1J1J1 W2W3W4 B3B4T5T6T7F1F1B5"},
{"fan": "花龙", "share": 8, "hand": "W1W2W3 W9W9B7B8T2T3T4T4T5T6B9"},
{"fan": "混一色", "share": 8, "hand": "J2J2J2 B2B3B4 B5B5B6B7B8F4F4B5"},
{"fan": "三色三同顺", "share": 7, "hand": "W3W4W5 W6W7W8B3B4T3T4T5T9T9B5"},
{"fan": "清龙", "share": 7, "hand": "T1T2T3 W3W4W5B6B6T4T5T6T7T8T9"},
{"fan": "七对", "share": 5, "hand": "W1W1W3W3T5T5T7T7B2B2B8B8F1F1"},
{"fan": "碰碰和", "share": 4, "hand": "W2W2W2 T5T5T5 B7B7B7 W4W4T8T8W4"}
];
