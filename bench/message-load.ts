/**
 * Simulates customers and the owner who write messages while connections break, devices sleep,
 * pages reload and the shop restarts.
 */
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { WebSocket } from 'ws'
import {
  type DeliveryResult,
  createSendQueue,
  type SendQueue,
  type UnsentMessage,
} from '#messaging/chat/send-queue.ts'
import { newId15 } from '#lib/text/ids.ts'
import { createRevalidationQueue } from '#client/revalidation-queue.ts'
import { openBrowser, using } from '#test/fixtures/processes.ts'
import { randomFrom } from '#test/fixtures/size.ts'

/**
 * Rate limits apply to the client address `address`. `stored` contains the unsent messages that the
 * browser stores for all its tabs.
 */
export type Writer = {
  id: string
  cookie: string
  address: string
  stored: Map<string, UnsentMessage & { orderId: string }>
}
type Pressed = {
  messageId: string
  message: string
  orderId: string
  sender: string
  tab: number
  number: number
}

const headersOf = (origin: string, { cookie, address }: Writer) => ({
  origin,
  cookie,
  'x-forwarded-for': address,
})

/**
 * Simulates a browser tab in which a person writes. It uses the shop's own code for sending
 * messages and loading data. `page` is the path of the data that the tab shows.
 */
function openTab(origin: string, tab: number, writer: Writer, page: string) {
  let life = new AbortController()
  let sendQueues = new Map<string, SendQueue>()
  let socket: WebSocket | undefined
  let shown = ''
  let isGone = false
  let awake = Promise.resolve()
  const pressed: Pressed[] = []

  /**
   * Waits until the shop responds. Returns false if it does not respond within `longest`
   * milliseconds.
   */
  async function whenReached(signal: AbortSignal, longest = Infinity) {
    const isReached = () =>
      fetch(`${origin}/health`, { signal })
        .then(({ ok }) => ok)
        .catch(() => false)
    for (
      const begun = performance.now();
      performance.now() - begun < longest;
      await pause(30, undefined, { signal })
    ) {
      if (await isReached()) return true
    }
    return false
  }

  async function ask(
    { messageId, message, orderId }: UnsentMessage & { orderId: string },
    signal: AbortSignal,
  ): Promise<DeliveryResult | null> {
    const body = new URLSearchParams({
      intent: 'send',
      writer: writer.id,
      orderId,
      messageId,
      message,
    })
    try {
      const response = await fetch(`${origin}/messages`, {
        method: 'POST',
        body,
        headers: headersOf(origin, writer),
        signal,
      })
      const { ok } = (await response.json()) as { ok: boolean }
      return ok ? { ok } : { ok: false, isRefused: false }
    } catch {
      return null
    }
  }

  function sendQueueOf(orderId: string): SendQueue {
    const known = sendQueues.get(orderId)
    if (known) return known
    const { signal } = life
    const sendQueue = createSendQueue({
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
        // A closed page gets no response, so this promise never resolves.
        if (signal.aborted) return new Promise<never>(() => {})
        return (
          (isBack && (await ask({ ...one, orderId }, signal))) || { ok: false, isRefused: false }
        )
      },
    })
    sendQueues.set(orderId, sendQueue)
    sendQueue.start()
    return sendQueue
  }

  async function load() {
    const { signal } = life
    while (!signal.aborted) {
      const response = await fetch(origin + page, {
        headers: headersOf(origin, writer),
        signal,
      }).catch(() => null)
      const text = response?.ok ? await response.text().catch(() => null) : null
      await awake
      if (signal.aborted) return
      if (text !== null) return show(text)
      await whenReached(signal).catch(() => {})
    }
  }
  function show(text: string) {
    shown = text
    for (const sendQueue of sendQueues.values()) sendQueue.arrived((id) => text.includes(id))
  }
  let reloads = createRevalidationQueue(load)

  function listen() {
    const mine = new WebSocket(`${origin.replace('http', 'ws')}/live`, {
      headers: headersOf(origin, writer),
    })
    socket = mine
    mine.on('message', (data) => {
      const message = JSON.parse(String(data)) as { version?: string; changed?: string[] }
      if (message.changed) reloads.changed()
      // The server sends a version when the tab connects. A browser compares versions first, but
      // this tab always loads its data.
      else if (message.version) reloads.reloadNow()
    })
    mine.on('error', () => {})
    mine.on('close', () => {
      if (mine === socket) {
        setTimeout(() => void awake.then(() => mine === socket && !isGone && listen()), 50).unref()
      }
    })
    mine.on('open', () => sendQueues.forEach((sendQueue) => sendQueue.resume()))
  }
  listen()

  return {
    pressed,
    shown: () => shown,
    say(orderId: string) {
      const number = pressed.length
      const one = {
        messageId: newId15(),
        message: `tab ${tab}, number ${number}`,
        orderId,
        sender: writer.id,
        tab,
        number,
      }
      pressed.push(one)
      sendQueueOf(orderId).send({ messageId: one.messageId, message: one.message })
    },
    disconnect: () => socket?.terminate(),
    /**
     * Lets the tab sleep for `time` milliseconds. During this time, the tab receives no live
     * updates and no responses.
     */
    sleep(time: number) {
      awake = pause(time).then(() => {})
      socket?.removeAllListeners('message').terminate()
    },
    /** Closes the page, even if it is sending or loading, and opens it again. */
    reload() {
      life.abort()
      life = new AbortController()
      sendQueues = new Map()
      reloads = createRevalidationQueue(load)
      for (const orderId of new Set([...writer.stored.values()].map((one) => one.orderId))) {
        sendQueueOf(orderId)
      }
      reloads.reloadNow()
    },
    /** Clicks "Try again" until all messages are sent. */
    async finish() {
      for (let isLeft = true; isLeft; await pause(20)) {
        sendQueues.forEach((sendQueue) => sendQueue.resume())
        isLeft = [...sendQueues.values()].some((sendQueue) =>
          sendQueue.read().some(({ state }) => state !== 'sent'),
        )
      }
    },
    close() {
      isGone = true
      life.abort()
      socket?.terminate()
    },
  }
}

type Credentials = { email: string; password: string }

async function signIn(
  origin: string,
  intent: 'login' | 'register',
  who: Credentials,
  address: string,
): Promise<string> {
  const browser = openBrowser(origin, address)
  await browser.send('/login/', { intent, ...who })
  return browser.headers().cookie
}

const rows = <Row>(dataDir: string, query: string) =>
  using(join(dataDir, 'shop.db'), (db) => db.prepare(query).all() as Row[])

export const readStoredMessages = (dataDir: string): Message[] =>
  rows(dataDir, 'select "orderId", seq, id, message, sender from messages order by "orderId", seq')

/**
 * Signs in the owner and registers `count` customers. Each person has a different client address,
 * and each customer has a conversation.
 */
export async function startWriters(
  origin: string,
  dataDir: string,
  owner: Credentials,
  count: number,
) {
  const email = (number: number) => `fire${number}@mail.test`
  const cookies = [await signIn(origin, 'login', owner, '203.0.113.99')]
  for (let number = 0; number < count; number++) {
    cookies.push(
      await signIn(
        origin,
        'register',
        { email: email(number), password: 'a-good-password' },
        `203.0.113.${number + 1}`,
      ),
    )
  }
  const ids = new Map(
    rows<{ id: string; email: string }>(dataDir, 'select id, email from "user"').map((user) => [
      user.email,
      user.id,
    ]),
  )
  const writer = (email: string, at: number): Writer => ({
    id: ids.get(email)!,
    cookie: cookies[at]!,
    address: `203.0.113.${at + 1}`,
    stored: new Map(),
  })
  const customers = Array.from({ length: count }, (_, number) => writer(email(number), number + 1))
  return { owner: writer(owner.email, 0), customers }
}

type FiredShop = { origin: string; restart: (how: 'SIGKILL' | 'SIGTERM') => Promise<void> }
type Message = { orderId: string; seq: number; id: string; message: string; sender: string }
type LoadResult = {
  events: Record<'disconnect' | 'sleep' | 'reload' | 'restart', number>
  pressed: number
  lost: string[]
  doubled: string[]
  /** messages that the shop stored in a different order than their writer sent them */
  swapped: string[]
  /** pages that do not show the newest stored messages */
  stale: string[]
}

const OWNER_TABS = 2
const RESTART_EACH = 20
/** A conversation page initially shows this many of the newest messages. */
const NEWEST = 20

export async function writeUnderFire(
  shop: FiredShop,
  { owner, customers }: { owner: Writer; customers: Writer[] },
  { events, seed, read }: { events: number; seed: number; read: () => Message[] },
): Promise<LoadResult> {
  const random = randomFrom(seed)
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!
  const ofOwner = Array.from({ length: OWNER_TABS }, (_, at) => {
    const shows = customers[at % customers.length]!.id
    return {
      writer: owner,
      shows,
      tab: openTab(shop.origin, customers.length + at, owner, `/manage/messages/${shows}.data`),
    }
  })
  const ofCustomers = customers.map((writer, at) => ({
    writer,
    shows: writer.id,
    tab: openTab(shop.origin, at, writer, '/about.data?messages='),
  }))
  const tabs = [...ofCustomers, ...ofOwner]
  const staleTabs = (stored: Message[]) =>
    tabs.flatMap(({ tab, shows }, at) => (isNewest(tab.shown(), stored, shows) ? [] : `tab ${at}`))
  const done: LoadResult['events'] = { disconnect: 0, sleep: 0, reload: 0, restart: 0 }

  for (let event = 0; event < events; event++) {
    for (let message = 0; message < 2; message++) {
      const { tab, writer } = pick(tabs)
      tab.say(writer === owner ? pick(customers).id : writer.id)
    }
    await pause(random() * 40)
    const what =
      event % RESTART_EACH === RESTART_EACH / 2
        ? 'restart'
        : pick(['disconnect', 'disconnect', 'sleep', 'reload'] as const)
    done[what] += 1
    const { tab } = pick(tabs)
    if (what === 'restart') await shop.restart(random() < 0.5 ? 'SIGKILL' : 'SIGTERM')
    else if (what === 'sleep') tab.sleep(30 + random() * 150)
    else tab[what]()
  }
  await Promise.all(tabs.map(({ tab }) => tab.finish()))
  /** Waits until the tabs have loaded their pages after the last live updates. */
  const settle = async () => {
    for (let tries = 0; tries < 100 && staleTabs(read()).length > 0; tries++) await pause(50)
  }
  await settle()
  // The last message is sent while the owner's tabs sleep, and no other message follows.
  for (const { tab } of ofOwner) tab.sleep(1000)
  ofCustomers[0]!.tab.say(customers[0]!.id)
  await ofCustomers[0]!.tab.finish()
  await settle()

  const pressed = tabs.flatMap(({ tab }) => tab.pressed)
  const stored = read()
  const stale = staleTabs(stored)
  for (const { tab } of tabs) tab.close()
  return { events: done, pressed: pressed.length, ...compare(pressed, stored), stale }
}

function compare(pressed: Pressed[], messages: Message[]) {
  const found = Map.groupBy(messages, ({ id }) => id)
  const lost = pressed.filter(({ messageId, message, orderId, sender }) => {
    const [existing] = found.get(messageId) ?? []
    return (
      existing?.message !== message || existing.orderId !== orderId || existing.sender !== sender
    )
  })
  const isKnown = new Set(pressed.map(({ messageId }) => messageId))
  const doubled = messages.filter(({ id }) => !isKnown.has(id) || found.get(id)!.length > 1)
  const gaps = [...Map.groupBy(messages, ({ orderId }) => orderId)].filter(
    ([, all]) => Math.max(...all.map(({ seq }) => seq)) !== all.length,
  )
  const swapped = [
    ...Map.groupBy(pressed, ({ tab, orderId }) => `${tab} ${orderId}`).values(),
  ].flatMap((row) => {
    const places = row.map(({ messageId }) => found.get(messageId)?.[0]?.seq ?? 0)
    return row.filter((_, at) => at > 0 && places[at]! < places[at - 1]!)
  })
  return {
    lost: lost.map(({ message }) => message),
    doubled: [
      ...doubled.map(({ message }) => message),
      ...gaps.map(([orderId]) => `a gap in ${orderId}`),
    ],
    swapped: swapped.map(({ message }) => message),
  }
}

/**
 * Returns true if the page contains each of the newest messages once and in the right order. In the
 * data of React Router, the last message of a list comes first.
 */
function isNewest(page: string, messages: Message[], orderId: string): boolean {
  const newest = messages.filter((message) => message.orderId === orderId).slice(-NEWEST)
  const places = newest.map(({ id }) => page.indexOf(id))
  return places.every(
    (place, at) =>
      place > -1 &&
      place < (places[at - 1] ?? Infinity) &&
      page.lastIndexOf(newest[at]!.id) === place,
  )
}
