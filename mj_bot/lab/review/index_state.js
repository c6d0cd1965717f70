// The state of the page of several games: the data, and which session, order and mistakes are shown. The other files
// take it as `view`.
"use strict";

const IndexState = (() => {
  const makeWanted = () => ({player: "", leak: "", grade: "", state: "", sureness: ""});

  // data: what overview.py puts into the element #data. address: of Address.read.
  function make(data, address) {
    const view = {data, language: findLanguage(), session: null, column: "game", isRising: false, isWhole: false,
      wanted: makeWanted()};
    openSession(view, data.sessions[address.session - 1] || (data.sessions.length === 1 ? data.sessions[0] : null));
    return view;
  }

  // A session by itself, or all games for null.
  function openSession(view, session) {
    view.session = session;
    // Hands of sessions stay in their order.
    view.column = view.data.sessions.length ? "game" : "total";
    view.isRising = view.isWhole = false;
    view.wanted.player = "";
  }

  // The browser's button leads back from there.
  function turnTo(view, session) {
    openSession(view, session);
    history.pushState(null, "", "#");
    Index.render(view);
  }

  // The indices of the games that are shown.
  const listGames = ({data, session}) => session ? session.games : [...data.games.keys()];

  // The seats of a game in the order of the columns: in a session by player.
  const seatsOf = ({session}, game) => session && game.session ?
    session.names.map((name, player) => game.session.seats.indexOf(player)) : [0, 1, 2, 3];

  // A hand of one of several sessions has its session's title too.
  function nameOf({data, session}, game, words) {
    if (!game.session) return game.name;
    const isOwn = other => other.games.includes(data.games.indexOf(game));
    const other = !session && data.sessions.length > 1 && data.sessions.find(isOwn);
    return (other ? `${other.title || words.index.session} · ` : "") + words.index.hand(game.session.hand + 1);
  }

  // The players of the session, or of all games.
  const listNames = ({data, session}) => session ? session.names : data.players.map(player => player.name);
  const playerOf = ({data}, mistake) => data.games[mistake.game].players[mistake.seat];
  const addressOf = ({language}, game, fields) => Address.link(game.link, {language, ...fields});
  const formatLoss = loss => loss === null ? "–" : Panels.format(loss);
  // A player's name with the button that says who reads.
  const named = (view, name, words) => Panels.make("span", "", Panels.player(name, words),
    name ? Me.button(name, words, () => Index.render(view)) : null);

  return {make, turnTo, listGames, seatsOf, nameOf, listNames, playerOf, addressOf, formatLoss, named};
})();
