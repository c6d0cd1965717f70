// The sounds of a game, made of tones: what happens, and that it is the person's turn.
"use strict";

const playSound = (() => {
  // Notes [hertz, seconds from now on, seconds] by the kind of event.
  const KONG = [[330, 0, .1], [440, .1, .1], [660, .2, .15]];
  const SOUNDS = {
    PLAY: [[880, 0, .05]], CHI: [[520, 0, .09], [660, .09, .12]], PENG: [[440, 0, .09], [660, .09, .12]],
    GANG: KONG, BUGANG: KONG, HU: [[523, 0, .12], [659, .12, .12], [784, .24, .12], [1047, .36, .3]],
    turn: [[660, 0, .06]],
  };
  let audio = null;

  // A browser lets a page make sounds once its reader has clicked in it.
  return kind => {
    if (!SOUNDS[kind] || !navigator.userActivation?.hasBeenActive) return;
    audio ??= new AudioContext();
    for (const [hertz, start, seconds] of SOUNDS[kind]) {
      const tone = audio.createOscillator(), volume = audio.createGain(), from = audio.currentTime + start;
      tone.type = "triangle";
      tone.frequency.value = hertz;
      volume.gain.setValueAtTime(.12, from);
      volume.gain.exponentialRampToValueAtTime(.001, from + seconds);
      tone.connect(volume).connect(audio.destination);
      tone.start(from);
      tone.stop(from + seconds);
    }
  };
})();
