/** Both sides of some conversations write while connections break, devices sleep, pages are loaded anew and the shop is restarted. */
import { setTimeout as pause } from 'node:timers/promises'
import { randomFrom } from './seeded-numbers.ts'
import { openTab, type Pressed, type Writer } from './fire-tab.ts'

export type FiredShop = { origin: string; restart: (how: 'SIGKILL' | 'SIGTERM') => Promise<void> }
type Message = { orderId: string; seq: number; id: string; message: string; sender: string }
type Mark = { orderId: string; reader: string; seq: number }
/** What the database holds at the end. */
export type Kept = { messages: Message[]; marks: Mark[] }
export type Outcome = {
  events: Record<'disconnect' | 'sleep' | 'reload' | 'restart', number>
  pressed: number
  lost: string[]
  doubled: string[]
  /** messages of one writer to one conversation that stand in another order than they were pressed in */
  swapped: string[]
  /** pages that do not show the newest messages as they are kept */
  stale: string[]
  /** "who sees … should see …" */
  miscounted: string[]
}

const OWNER_TABS = 2
const RESTART_EACH = 20
/** As many as a page shows at first, and fewer. */
const NEWEST = 20

export async function writeUnderFire(
  shop: FiredShop,
  { owner, customers }: { owner: Writer; customers: Writer[] },
  { events, seed, read }: { events: number; seed: number; read: () => Kept },
): Promise<Outcome> {
  const random = randomFrom(seed)
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!
  const ownersPage = (at: number) => `/manage/messages/${customers[at % customers.length]!.id}.data`
  const ofCustomers = customers.map((customer, at) => ({
    tab: openTab(shop.origin, at, customer, '/about.data?messages='),
    writer: customer,
  }))
  const ofOwner = Array.from({ length: OWNER_TABS }, (_, at) => ({
    tab: openTab(shop.origin, customers.length + at, owner, ownersPage(at)),
    writer: owner,
  }))
  const tabs = [...ofCustomers, ...ofOwner]
  const done: Outcome['events'] = { disconnect: 0, sleep: 0, reload: 0, restart: 0 }

  for (let event = 0; event < events; event++) {
    for (let message = 0; message < 2; message++) {
      const { tab, writer } = pick(tabs)
      const orderId = writer === owner ? pick(customers).id : writer.id
      tab.say(orderId)
      if (random() < 0.3) void tab.read(orderId, Math.ceil(random() * (event + 1)))
    }
    await pause(random() * 40)
    const what = event % RESTART_EACH === RESTART_EACH / 2 ? 'restart' : pick(['disconnect', 'disconnect', 'sleep', 'reload'] as const)
    done[what] += 1
    const { tab } = pick(tabs)
    if (what === 'restart') await shop.restart(random() < 0.5 ? 'SIGKILL' : 'SIGTERM')
    else if (what === 'sleep') tab.sleep(30 + random() * 150)
    else tab[what]()
  }
  await Promise.all(tabs.map(({ tab }) => tab.finish()))
  const ownersOrder = (at: number) => customers[(at - customers.length) % customers.length]!.id
  const orderOf = (writer: Writer, at: number) => (writer === owner ? ownersOrder(at) : writer.id)
  const isShown = () => tabs.every(({ tab, writer }, at) => isNewest(tab.shown(), read(), orderOf(writer, at)))
  /** What the last signals set off. */
  const settle = async () => {
    for (let tries = 0; tries < 100 && !isShown(); tries++) await pause(50)
  }
  await settle()
  // The last word falls while nobody else hears anything, and no other comes after it.
  for (const { tab } of ofOwner) tab.sleep(1000)
  ofCustomers[0]!.tab.say(customers[0]!.id)
  await ofCustomers[0]!.tab.finish()
  await settle()

  const pressed = tabs.flatMap(({ tab }) => tab.pressed)
  const kept = read()
  const stale = tabs.flatMap(({ tab, writer }, at) => (isNewest(tab.shown(), kept, orderOf(writer, at)) ? [] : `tab ${at}`))
  const miscounted = []
  for (const writer of [...customers, owner]) {
    const html = await fetch(`${shop.origin}/about/`, { headers: { cookie: writer.cookie } }).then((page) => page.text())
    const said = /aria-label="(\d+|No) unread messages?"/.exec(html)?.[1]?.replace('No', '0')
    const truth = String(unreadOf(kept, writer, owner))
    if (said !== truth) miscounted.push(`${writer === owner ? 'the owner' : writer.id} sees ${said}, should see ${truth}`)
  }
  for (const { tab } of tabs) tab.close()
  return { events: done, pressed: pressed.length, ...compare(pressed, kept), stale, miscounted }
}

function compare(pressed: Pressed[], { messages }: Kept) {
  const found = Map.groupBy(messages, ({ id }) => id)
  const lost = pressed.filter(({ messageId, message, orderId, sender }) => {
    const [there] = found.get(messageId) ?? []
    return there?.message !== message || there.orderId !== orderId || there.sender !== sender
  })
  const isKnown = new Set(pressed.map(({ messageId }) => messageId))
  const doubled = messages.filter(({ id }) => !isKnown.has(id) || found.get(id)!.length > 1)
  const gaps = [...Map.groupBy(messages, ({ orderId }) => orderId)].filter(
    ([, all]) => Math.max(...all.map(({ seq }) => seq)) !== all.length,
  )
  const swapped = [...Map.groupBy(pressed, ({ tab, orderId }) => `${tab} ${orderId}`).values()].flatMap((row) => {
    const places = row.map(({ messageId }) => found.get(messageId)?.[0]?.seq ?? 0)
    return row.filter((_, at) => at > 0 && places[at]! < places[at - 1]!)
  })
  return {
    lost: lost.map(({ message }) => message),
    doubled: [...doubled.map(({ message }) => message), ...gaps.map(([orderId]) => `a gap in ${orderId}`)],
    swapped: swapped.map(({ message }) => message),
  }
}

/** In their order, each once; the router's encoding writes a list from its end. */
function isNewest(page: string, { messages }: Kept, orderId: string): boolean {
  const newest = messages.filter((message) => message.orderId === orderId).slice(-NEWEST)
  const places = newest.map(({ id }) => page.indexOf(id))
  return places.every((place, at) => place > -1 && place < (places[at - 1] ?? Infinity) && page.lastIndexOf(newest[at]!.id) === place)
}

/** CHAT-09, S-076, NAV-46: counted here from the rows one by one. */
const unreadOf = ({ messages, marks }: Kept, { id }: Writer, owner: Writer): number =>
  messages.filter(
    ({ orderId, seq, sender }) =>
      sender !== id &&
      (id === owner.id || orderId === id) &&
      seq > (marks.find((mark) => mark.orderId === orderId && mark.reader === id)?.seq ?? 0),
  ).length
