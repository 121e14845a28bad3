/** A tab of somebody who writes while connection, device and shop fail: the shop's own queue and reloads, around them what a browser does. */
import { setTimeout as pause } from 'node:timers/promises'
import { WebSocket } from 'ws'
import { openOutbox, type Delivered, type Outbox, type Unsent } from '#app/features/messaging/send-queue.ts'
import { newId15 } from '#app/platform/ids.ts'
import { openReloads } from '#app/platform/reloads.ts'

/** `address`: through which the shop believes to be asked, since it counts by it. `stored`: what the browser keeps, for all tabs. */
export type Writer = { id: string; cookie: string; address: string; stored: Map<string, Unsent & { orderId: string }> }
export type Pressed = { messageId: string; message: string; orderId: string; sender: string; tab: number; number: number }

const headersOf = (origin: string, { cookie, address }: Writer) => ({ origin, cookie, 'x-forwarded-for': address })

/** `page`: whose data the tab shows. A sleeping tab does nothing and hears nothing; its lines are dead when it wakes. */
export function openTab(origin: string, tab: number, writer: Writer, page: string) {
  let life = new AbortController()
  let outboxes = new Map<string, Outbox>()
  let socket: WebSocket | undefined
  let shown = ''
  let isGone = false
  let awake = Promise.resolve()
  const pressed: Pressed[] = []

  /** Until the shop answers, or the tab's life ends. */
  async function whenReached(signal: AbortSignal, longest = Infinity) {
    for (const begun = performance.now(); performance.now() - begun < longest; await pause(30, undefined, { signal }))
      if (
        await fetch(`${origin}/health`, { signal }).then(
          ({ ok }) => ok,
          () => false,
        )
      )
        return true
    return false
  }

  async function ask({ messageId, message, orderId }: Unsent & { orderId: string }, signal: AbortSignal): Promise<Delivered | null> {
    const body = new URLSearchParams({ intent: 'send', writer: writer.id, orderId, messageId, message })
    return fetch(`${origin}/messages`, { method: 'POST', body, headers: headersOf(origin, writer), signal })
      .then(async (response) =>
        ((await response.json()) as { ok: boolean }).ok ? { ok: true as const } : { ok: false as const, isRefused: false },
      )
      .catch(() => null)
  }

  function outboxOf(orderId: string): Outbox {
    const known = outboxes.get(orderId)
    if (known) return known
    const { signal } = life
    const outbox = openOutbox({
      now: Date.now,
      store: {
        read: () => [...writer.stored.values()].filter((one) => one.orderId === orderId),
        keep: (one) => void writer.stored.set(one.messageId, { ...one, orderId }),
        drop: (messageId) => void writer.stored.delete(messageId),
      },
      async post(one) {
        const first = await ask({ ...one, orderId }, signal)
        if (first) return first
        const isBack = await whenReached(signal, 3000).catch(() => false)
        // A page that is gone hears nothing and sends nothing.
        if (signal.aborted) return new Promise<never>(() => {})
        return (isBack && (await ask({ ...one, orderId }, signal))) || { ok: false, isRefused: false }
      },
    })
    outboxes.set(orderId, outbox)
    outbox.start()
    return outbox
  }

  async function load() {
    const { signal } = life
    for (;;) {
      const text = await fetch(origin + page, { headers: headersOf(origin, writer), signal }).then(
        (response) => (response.ok ? response.text() : null),
        () => null,
      )
      await awake
      if (signal.aborted) return
      if (text !== null) {
        shown = text
        for (const outbox of outboxes.values()) outbox.arrived((id) => text.includes(id))
        return
      }
      await whenReached(signal).catch(() => {})
    }
  }
  let reloads = openReloads(load)

  function listen() {
    const mine = new WebSocket(`${origin.replace('http', 'ws')}/live`, { headers: headersOf(origin, writer) })
    socket = mine
    mine.on('message', (data) => {
      const told = JSON.parse(String(data)) as { version?: string; changed?: string[] }
      if (told.changed) reloads.told()
      // The version of the page is not told apart here: a greeting always asks.
      else if (told.version) reloads.toldAnew()
    })
    mine.on('error', () => {})
    mine.on('close', () => {
      if (mine === socket) setTimeout(() => void awake.then(() => mine === socket && !isGone && listen()), 50).unref()
    })
    mine.on('open', () => outboxes.forEach((outbox) => outbox.resume()))
  }
  listen()

  return {
    pressed,
    shown: () => shown,
    say(orderId: string) {
      const number = pressed.length
      const one = { messageId: newId15(), message: `tab ${tab}, number ${number}`, orderId, sender: writer.id, tab, number }
      pressed.push(one)
      outboxOf(orderId).send({ messageId: one.messageId, message: one.message })
    },
    /** How far she says to have read, as far as she can see it. */
    read: (orderId: string, seq: number) =>
      fetch(`${origin}/messages`, {
        method: 'POST',
        body: new URLSearchParams({ intent: 'read', orderId, seq: String(seq) }),
        headers: headersOf(origin, writer),
        signal: life.signal,
      }).then(
        (response) => void response.body?.cancel(),
        () => {},
      ),
    disconnect: () => socket?.terminate(),
    /** Nothing is heard, and no answer comes, until it wakes. */
    sleep(time: number) {
      awake = pause(time).then(() => {})
      socket?.removeAllListeners('message').terminate()
    },
    /** The page goes in the middle of whatever it does, and a new one comes. */
    reload() {
      life.abort()
      life = new AbortController()
      outboxes = new Map()
      reloads = openReloads(load)
      for (const orderId of new Set([...writer.stored.values()].map((one) => one.orderId))) outboxOf(orderId)
      reloads.toldAnew()
    },
    /** Presses "Try again" until nothing is left to send. */
    async finish() {
      for (let isLeft = true; isLeft; await pause(20)) {
        outboxes.forEach((outbox) => outbox.resume())
        isLeft = [...outboxes.values()].some((outbox) => outbox.list().some(({ state }) => state !== 'sent'))
      }
    },
    close() {
      isGone = true
      life.abort()
      socket?.terminate()
    },
  }
}
