// Keeps the pages and scripts of the table, so that they open while the server does not run. FILES come before this.
// Other servers of this machine may use the same port later, and their pages read what is kept and registered here. So
// nothing here has the secret of the address, and no game, review or page of the library is kept.
"use strict";

const KEPT = "mj_bot";

self.addEventListener("install", () => self.skipWaiting());

self.addEventListener("activate", event => event.waitUntil(self.clients.claim()));

// A page tells its address, which ends with a slash, and has its files kept. The copies do not know where they came
// from.
self.addEventListener("message", event => event.waitUntil(caches.open(KEPT).then(
  kept => Promise.all(FILES.map(async name => {
    const reply = await fetch(event.data + name);
    if (reply.ok) await kept.put("/" + name, new Response(await reply.blob(), {headers: reply.headers}));
  })))));

self.addEventListener("fetch", event => {
  const name = new URL(event.request.url).pathname.replace(/^\/([\w-]{20,64}\/)?/, "");
  if (event.request.method !== "GET" || !FILES.includes(name)) return;
  event.respondWith(fetch(event.request).catch(async error => {
    const reply = await caches.match("/" + name);
    if (reply) return reply;
    throw error;
  }));
});
