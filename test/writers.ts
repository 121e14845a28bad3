/** What sixteen clients write into a shop under kills, and what of it has to be found again. */
import { newId15 } from '#app/platform/ids.ts'
import type { Client, Told } from './writing-client.ts'

export type Read = <Row>(query: string, ...values: (string | number)[]) => Row[]
/** One of the sixteen. `write` gives 'idle' when there is nothing to do just now. */
export type Writer = {
  kind: string
  write: () => Promise<Told | 'idle'>
  /** What of the acknowledged is not there exactly once; looked for since the last look. */
  faults: (read: Read) => string[]
}

/** Things that are written once each, under an id; where that is what keeps them apart, now and then twice at once, as an impatient browser would. */
function manyOnce(
  kind: string,
  next: () => { id: string; send: () => Promise<Told> } | null,
  count: (read: Read, id: string) => number,
  isDoubled = true,
): Writer {
  const kept: string[] = []
  const unheard: string[] = []
  /** what a browser would send again, since it heard nothing */
  const again: { id: string; send: () => Promise<Told> }[] = []
  let looked = 0
  let written = 0
  return {
    kind,
    async write() {
      const thing = again.shift() ?? next()
      if (!thing) return 'idle'
      const isTwice = isDoubled && ++written % 5 === 0
      const tolds = await Promise.all(isTwice ? [thing.send(), thing.send()] : [thing.send()])
      if (tolds.includes('kept')) kept.push(thing.id)
      else if (tolds.includes('unheard')) {
        unheard.push(thing.id)
        if (isDoubled) again.push(thing)
      }
      return tolds.includes('unheard') ? 'unheard' : tolds.includes('kept') ? 'kept' : 'refused'
    },
    faults(read) {
      const news = kept.slice(looked)
      looked = kept.length
      const lost = news.flatMap((id) => (count(read, id) === 1 ? [] : [`${kind} ${id}: ${count(read, id)} times instead of once`]))
      const doubled = unheard.splice(0).flatMap((id) => (count(read, id) > 1 ? [`${kind} ${id}: doubled`] : []))
      return [...lost, ...doubled]
    },
  }
}

/** One thing that is written over and over: it is as it was acknowledged last, or as an unheard write after that left it. */
function lastWins(
  kind: string,
  next: () => { name: string; value: string; send: () => Promise<Told> },
  valueOf: (read: Read, name: string) => string,
): Writer {
  const possible = new Map<string, Set<string>>()
  return {
    kind,
    async write() {
      const { name, value, send } = next()
      const told = await send()
      if (told === 'kept') possible.set(name, new Set([value]))
      else if (told === 'unheard' && possible.has(name)) possible.get(name)!.add(value)
      return told
    },
    faults(read) {
      const wrong: string[] = []
      for (const [name, values] of possible) {
        const found = valueOf(read, name)
        if (!values.has(found)) wrong.push(`${kind} ${name}: ${found} instead of ${[...values].join(' or ')}`)
        possible.set(name, new Set([found]))
      }
      return wrong
    },
  }
}

const countIn = (table: string, column: string) => (read: Read, id: string) =>
  read<{ count: number }>(`select count(*) as count from "${table}" where "${column}" = ?`, id)[0]!.count

/** ITEMS things to ask for, TICKETS to write on, one colour: what `seedForWriters` puts there. */
export const ITEMS = 400
const TICKETS = 6000

export function seedForWriters(exec: (query: string) => void): void {
  exec(`insert into categories (id, title, color, position, "createdAt", "firstCreatedAt") values ('wall', 'Wall', '#ffffff', 0, 0, 0);
    insert into colors (id, name, "isAvailable", "isLowOnStock", "createdAt", "firstCreatedAt") values ('ash', 'Ash', 1, 0, 0, 0);
    with recursive n(i) as (select 0 union all select i + 1 from n where i < ${ITEMS - 1})
      insert into items (id, name, "categoryId", "priceCents", description, width, "soleType", size, "createdAt", "firstCreatedAt")
      select 'item' || i, 'Piece ' || i, 'wall', 3500, '', '', '', '', 0, 0 from n;
    with recursive n(i) as (select 0 union all select i + 1 from n where i < ${TICKETS - 1})
      insert into testimonies (id, "writerId", "writerName", "writerEmail", "writerPhotoURL", testimony, "isAvailable", "isValidated", "showOnPage", "createdAt")
      select 'ticket' || i, 'w', 'Wanda', 'wanda@mail.test', '', '', 1, 0, 0, 0 from n`)
}

export function messages(client: Client): Writer {
  return manyOnce(
    'message',
    () => {
      const id = newId15()
      const form = { intent: 'send', message: `Hello ${id}`, messageId: id }
      return { id, send: async () => (await client.send('/messages.data', form)).told }
    },
    countIn('messages', 'id'),
  )
}

/** A message with a picture in the same form: both, or neither. */
export function picturesInMessages(client: Client, photo: Uint8Array<ArrayBuffer>): Writer {
  return manyOnce(
    'message with a picture',
    () => {
      const id = newId15()
      const files = new File([photo], 'photo.jpg', { type: 'image/jpeg' })
      const form = { intent: 'send', message: '', messageId: id, files }
      return { id, send: async () => (await client.send('/messages.data', form)).told }
    },
    (read, id) => {
      const found = countIn('messages', 'id')(read, id)
      const [pictures] = read<{ count: number }>('select count(*) as count from "messagePictures" where "messageId" = ?', id)
      return found === 1 && pictures!.count !== 1 ? -pictures!.count - 1 : found
    },
  )
}

/** `asked` gets what can be sold. */
export function requests(client: Client, uid: string, asked: { uid: string; itemId: string }[]): Writer {
  let next = 0
  return manyOnce(
    'order request',
    () => {
      const [id, itemId] = [newId15(), `item${next++ % ITEMS}`]
      const form = { itemId, message: 'This one', messageId: id }
      const send = async () => {
        const { told } = await client.send('/order-request.data', form)
        if (told === 'kept' && next <= ITEMS) asked.push({ uid, itemId })
        return told
      }
      return { id, send }
    },
    countIn('messages', 'id'),
  )
}

export function favourites(client: Client, uid: string): Writer {
  let next = 0
  return lastWins(
    'favourite',
    () => {
      const name = `item${next % 7}`
      const value = Math.floor(next++ / 7) % 2 === 0 ? 'yes' : 'no'
      return { name, value, send: async () => (await client.send('/favourite.data', { itemId: name, wanted: value })).told }
    },
    (read, itemId) => (read('select 1 from favourites where "userId" = ? and "itemId" = ?', uid, itemId).length === 1 ? 'yes' : 'no'),
  )
}

export function sales(owner: Client, asked: { uid: string; itemId: string }[]): Writer {
  const told = new Set<string>()
  return manyOnce(
    'sale',
    () => {
      const found = asked.find(({ uid, itemId }) => !told.has(`${uid} ${itemId}`))
      if (!found) return null
      const id = `${found.uid} ${found.itemId}`
      told.add(id)
      const form = { intent: 'complete', itemId: found.itemId, price: '30' }
      return { id, send: async () => (await owner.send(`/manage/messages/${found.uid}.data`, form)).told }
    },
    (read, id) => {
      const [buyer, item] = id.split(' ') as [string, string]
      return read('select 1 from sales where "buyerId" = ? and "itemId" = ?', buyer, item).length
    },
  )
}

/** Each discount is another one, and its act stands in the history exactly once. */
export function discounts(owner: Client): Writer {
  let next = 100
  return manyOnce(
    'discount',
    () => {
      const value = String((next += 1) / 100)
      const form = { intent: 'color-go', color: 'ash', type: 'amount', value }
      return { id: String(next), send: async () => (await owner.send('/manage/discount.data', form)).told }
    },
    (read, id) => read(`select 1 from audit where act = 'discount-color' and detail like ?`, `%"after":%"value":${id}}%`).length,
    false,
  )
}

export function testimonies(client: Client): Writer {
  let next = 0
  return manyOnce(
    'testimony',
    () => {
      const id = `ticket${next++}`
      const form = { intent: 'write', email: 'wanda@mail.test', testimony: `Lovely ${id}` }
      const from = `198.51.${Math.floor(next / 250) % 250}.${next % 250}`
      return { id, send: async () => (await client.send(`/writetestimonials/${id}.data`, form, from)).told }
    },
    (read, id) => read('select 1 from testimonies where id = ? and testimony = ? and "isAvailable" = 0', id, `Lovely ${id}`).length,
  )
}

/** A picture of a piece in a request of its own; `stored` are the paths that the shop acknowledged. */
export function uploads(owner: Client, photo: Uint8Array<ArrayBuffer>, stored: string[]): Writer {
  let next = 0
  const paths = new Map<string, string>()
  return manyOnce(
    'upload',
    () => {
      const id = `upload${next++}`
      const send = async () => {
        const file = new File([photo], 'photo.jpg', { type: 'image/jpeg' })
        const { told, text } = await owner.send('/manage/item-picture', { categoryId: 'wall', file })
        const url = /"url":"\/pictures\/([^"]+)"/.exec(text)?.[1]
        if (told !== 'kept') return told
        paths.set(id, url ?? 'nowhere')
        stored.push(url ?? 'nowhere')
        return told
      }
      return { id, send }
    },
    (read, id) => (paths.has(id) ? countIn('pictures', 'path')(read, paths.get(id)!) : 0),
    false,
  )
}

export function names(client: Client, uid: string): Writer {
  let next = 0
  return lastWins(
    'name',
    () => {
      const value = `Clara ${next++}`
      return { name: uid, value, send: async () => (await client.send('/account/name.data', { name: value })).told }
    },
    (read) => read<{ name: string }>('select name from "user" where id = ?', uid)[0]!.name,
  )
}

/** New accounts: the row, its password and the letter that goes with it. */
export function accounts(open: (address: string) => Client): Writer {
  let next = 0
  return manyOnce(
    'account',
    () => {
      const id = `new${next++}@mail.test`
      const client = open(`198.18.${Math.floor(next / 250)}.${next % 250}`)
      return { id, send: async () => (await client.enter('register', { email: id, password: 'a-good-password' })).told }
    },
    (read, email) =>
      read('select 1 from "user" join account on account."userId" = "user".id and account.password is not null where email = ?', email)
        .length,
    false,
  )
}
