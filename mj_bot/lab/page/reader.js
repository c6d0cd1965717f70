// Who reads the pages: what the browser keeps, the reader's name, words of riichi mahjong, the language.
"use strict";

// What the browser keeps for the pages; some browsers keep nothing.
const Kept = {
  read(key) { try { return localStorage.getItem(key); } catch { return null; } },
  write(key, text) { try { localStorage.setItem(key, text); } catch { /* not kept */ } },
  readSettings() { try { return {...JSON.parse(Kept.read("play"))}; } catch { return {}; } },
};

// The language of a page before its reader has chosen one: of the address, or else the one kept, or else of the
// browser.
function findLanguage(kept) {
  return [Address.read().language, kept].find(language => Object.hasOwn(WORDS, language))
    ?? ((navigator.language || "").startsWith("zh") ? "zh" : "en");
}

// The other language, with which the pages of the table begin from now on.
function turnLanguage(language) {
  const other = language === "en" ? "zh" : "en";
  Kept.write("play", JSON.stringify({...Kept.readSettings(), language: other}));
  return other;
}

// The name of the person who reads the pages, "" for none. The browser keeps it, and it is read anew each time, as
// another page may change it; links carry it too, as some browsers keep nothing for a page that is a file.
const Me = (() => {
  const KEY = "mj_bot.me";
  let unkept = Address.read().me || "";
  if (unkept) choose(unkept);

  function choose(name) {
    unkept = name;
    Kept.write(KEY, name);
  }

  const name = () => Kept.read(KEY) ?? unkept;

  // A button that names the reader. render: called after a change.
  function button(player, words, render) {
    const isMe = player === name();
    const element = Panels.button("me", () => { choose(isMe ? "" : player); render(); }, isMe ? "★" : "☆");
    element.title = isMe ? words.me.is : words.me.choose;
    element.setAttribute("aria-pressed", isMe);
    return element;
  }

  // Calls render when another page may have changed the name.
  function watch(render) {
    for (const kind of ["storage", "pageshow"]) window.addEventListener(kind, render);
  }

  return {name, button, watch};
})();

// Words of riichi mahjong next to the English ones, on request; the browser keeps the choice.
const Riichi = (() => {
  const KEY = "mj_bot.riichi";
  Terms.isRiichi = Kept.read(KEY) === "1";

  // Draws the switch of a page; Chinese pages have none.
  function draw(element, words) {
    element.hidden = words !== WORDS.en;
    [element.textContent = "", element.title = ""] = words.riichi;
    element.setAttribute("aria-pressed", Terms.isRiichi);
  }

  function toggle() {
    Terms.isRiichi = !Terms.isRiichi;
    Kept.write(KEY, Terms.isRiichi ? "1" : "");
  }

  return {draw, toggle};
})();

// The head of a page: its title, and the buttons that turn its language and the words of riichi mahjong.
const Head = (() => {
  const {byId} = Panels;

  // Draws the head, and returns the words of the page. title: function(words). texts: function(words), the texts of the
  // elements with data-say.
  function draw({language}, title, texts = () => ({})) {
    const words = WORDS[language];
    document.documentElement.lang = language;
    document.title = byId("title").textContent = title(words);
    byId("language").textContent = words.other;
    if (byId("riichi")) Riichi.draw(byId("riichi"), words);
    for (const element of document.querySelectorAll("[data-say]")) {
      element.textContent = texts(words)[element.dataset.say];
    }
    return words;
  }

  // Draws the page again after each click on one of the buttons. view: an object with the language.
  function listen(view, render) {
    byId("language").addEventListener("click", () => { view.language = turnLanguage(view.language); render(); });
    byId("riichi")?.addEventListener("click", () => { Riichi.toggle(); render(); });
  }

  return {draw, listen};
})();
