/* Opens the shop when its notification is pressed. It keeps no pages and answers no requests. */
self.addEventListener('notificationclick', (event) => {
  event.notification.close()
  const address = new URL(event.notification.data?.url ?? '/', self.location.origin)
  if (address.origin !== self.location.origin) return
  event.waitUntil(
    self.clients.matchAll({ type: 'window', includeUncontrolled: true }).then(async (windows) => {
      const open = windows.find(({ url }) => url === address.href)
      return open ? open.focus() : self.clients.openWindow(address.href)
    }),
  )
})
