// What the page for newcomers says in English; guide_words.zh.js says the same in Chinese.
"use strict";

WORDS.en.guide = {
  title: "How a hand reaches eight fan", links: {table: "Play", fans: "The 81 fans", hand: "Any hand"},
  share: "main fan of %s% of wins",
  goalTitle: "The aim", goal: [
    "A winning hand has four sets and a pair, or one of a few special shapes. It must be worth eight fan. A complete " +
    "hand of seven fan cannot win, so you choose a way to eight fan before your hand is ready.",
    "Most wins have one fan of six points or more and a few small ones. Look for one of the ways below in your first " +
    "tiles, and keep a second way open for some turns."],
  waysTitle: "The usual ways",
  source:
    "Shares are of the wins of four strong programs (cnn) against each other. The winning tile stands apart at the " +
      "end.",
  ways: {
    "三色三步高": "Three chows, one in each suit, each beginning one higher than the one before. Worth 6. With a fourth " +
      "chow and a pair of a suit it is also All chows (2), which makes eight.",
    "五门齐": "A set or the pair in each of five kinds: three suits, winds and dragons. Worth 6. A pung of dragons, " +
      "or of the wind of your seat or of the round, adds 2.",
    "三色三同顺": "The same chow in all three suits. Worth 8, so it is enough alone.",
    "花龙": "1-2-3, 4-5-6 and 7-8-9, one in each suit. Worth 8, enough alone.",
    "混一色": "One suit and honours. Worth 6. A pung of dragons or of your wind adds 2. Others see it coming.",
    "清龙": "1-2-3, 4-5-6 and 7-8-9 of one suit. Worth 16. The rest of the hand is free.",
    "碰碰和": "Four pungs or kongs. Worth 6. All simples (2), a pung of dragons (2), or two pungs that you did not " +
      "claim (2) make eight.",
    "七对": "Seven pairs, nothing claimed. Worth 24."},
  recipesTitle: "Six and two", recipes: [
    "Mixed shifted chows, 6, and All chows, 2: chows only, and a pair of a suit.",
    "Mixed shifted chows, 6, and All simples, 2: no 1, no 9, no honours.",
    "Mixed shifted chows, 6, and Concealed hand, 2: you claim nothing and win on a discard.",
    "All types, 6, and Dragon pung, Seat wind or Prevalent wind, 2.",
    "Half flush, 6, and Dragon pung, Seat wind or Prevalent wind, 2.",
    "All pungs, 6, and All simples, Double pung or Two concealed pungs, 2.",
    "Fully concealed hand, 4, with All chows, 2, and All simples, 2: claim nothing and draw the winning tile."],
  rulesTitle: "What newcomers trip over", rules: [
    "Not twice: a fan that another one contains does not count. Pure straight never counts Short straight or Two " +
      "terminal chows. The page of the fans says it of each fan.",
    "Sets join once: after two or three sets have made a fan, each further set may make one more fan with one of them.",
    "You claim a chow only from the player on your left, who plays before you. Pungs, kongs and wins come from " +
      "everybody.",
    "There is one winner. Where several want the same tile, the first after the discarder wins.",
    "Winning on the last tile of its kind, when the other three lie open, is worth 4.",
    "You may win on a tile that you discarded before. Flowers bring a point each, and none counts for the eight fan.",
    "Who deals in pays 8 and the fan, the two others pay 8 each. After a self-drawn win each of the three pays 8 " +
      "and the " +
      "fan."]};
