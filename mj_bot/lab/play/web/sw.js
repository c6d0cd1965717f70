// Keeps the pages and files that were loaded, so that they open while the server does not run. FILES come before this.
// The game itself is the server's: what begins with game, past/open or hand/answer is never kept.
"use strict";

const KEPT = "mj_bot " + self.registration.scope;

self.addEventListener("install", event => {
  self.skipWaiting();
  event.waitUntil(caches.open(KEPT).then(kept => kept.addAll(FILES)));
});

// A server with another secret has another address: the files of earlier ones go.
self.addEventListener("activate", event => {
  event.waitUntil(Promise.all([self.clients.claim(), caches.keys().then(names => Promise.all(
    names.filter(name => name.startsWith("mj_bot ") && name !== KEPT).map(name => caches.delete(name))))]));
});

self.addEventListener("fetch", event => {
  const path = event.request.url.slice(self.registration.scope.length);
  if (event.request.method !== "GET" || /^(game|hand\/|past($|\?))/.test(path)) return;
  event.respondWith(fetch(event.request).then(async reply => {
    if (reply.ok) (await caches.open(KEPT)).put(event.request, reply.clone());
    return reply;
  }, async error => {
    const reply = await caches.match(event.request);
    if (reply) return reply;
    throw error;
  }));
});
