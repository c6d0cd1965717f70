// What only the page for playing says; the other words are the viewer's.
"use strict";

const SAY = {
  en: {
    title: "%s · wall %s", hints: "Hints", pace: "Pace", slow: "slow", normal: "normal", instant: "at once",
    undo: "Undo", new: "New game", seat: "Your seat", any: "any", seed: "Wall number, empty for any",
    practice: "Practice: moves can be taken back", deal: "Deal", cancel: "Cancel", person: "You",
    discard: "Your turn: which tile do you discard?", claim: "Do you want it?", rob: "Rob the kong?",
    then: "Which tile do you discard then?", tap: "Tap the tile again to discard it.", best: "best move",
    buttons: {PASS: "Pass", HU: "Win", CHI: "Chow", PENG: "Pung", GANG: "Kong", BUGANG: "Add to pung"},
    callouts: {CHI: "Chow!", PENG: "Pung!", GANG: "Kong!", BUGANG: "Kong!", HU: "Mahjong!"},
    hint: "%s · %s", dangerous: "deals in %s", live: "%s useful",
    saved: "The record is saved. A page with every decision of it:", lost: "The record could not be saved.",
    stale: "The game has moved on in another tab. This is how it stands now.",
    illegal: "That is not possible: %s", gone: "The server does not answer; is it still running?",
    refused: "The server refused: %s",
  },
  zh: {
    title: "%s · 牌墙 %s", hints: "提示", pace: "速度", slow: "慢", normal: "中", instant: "立即",
    undo: "悔棋", new: "新对局", seat: "你的座位", any: "随机", seed: "牌墙编号，留空为随机",
    practice: "练习：可以悔棋", deal: "发牌", cancel: "取消", person: "你",
    discard: "轮到你了，打哪张？", claim: "要这张吗？", rob: "抢杠吗？",
    then: "然后打哪张？", tap: "再点一次，打出这张。", best: "推荐",
    buttons: {PASS: "过", HU: "和", CHI: "吃", PENG: "碰", GANG: "杠", BUGANG: "补杠"},
    callouts: {CHI: "吃", PENG: "碰", GANG: "杠", BUGANG: "杠", HU: "和"},
    hint: "%s · %s", dangerous: "放铳率 %s", live: "进张 %s",
    saved: "牌谱已保存。生成逐步复盘的网页：", lost: "牌谱未能保存。",
    stale: "本局已在另一个标签页中继续，现在显示的是最新局面。",
    illegal: "不能这样做：%s", gone: "服务器没有应答，它还在运行吗？", refused: "服务器拒绝：%s",
  },
};
