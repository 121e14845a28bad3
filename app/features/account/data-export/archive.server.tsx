/** All data of an account as one file, written as it is downloaded (S-224, 035). Nothing of anybody else, and no secret. */
import type { ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { pathOfUrl } from '#app/features/images/picture-upload.ts'
import { receiptKey } from '#app/features/orders/order.ts'
import { formatMoney } from '#app/features/pricing/money.ts'
import { findInvoice } from '#app/features/print-documents/papers.server.ts'
import { readSettings } from '#app/features/settings/settings.server.ts'
import type { Shop } from '#app/platform/context.ts'
import { jsonText } from '#app/platform/json-text.ts'
import { libraryTime } from '#app/platform/users.server.ts'
import { zipDownload, type ZipEntry } from '#app/platform/zip-download.server.ts'
import { formatDate } from '#app/ui/dates.ts'
import { momentText } from '#app/ui/moments.ts'
import type { Db } from '#db/schema.ts'

const isoTime = (at: number): string => new Date(at).toISOString()
/** Formats a date of the authentication library. */
const timeOf = (date: unknown): string => isoTime(libraryTime(date))

/** A read of an account: `isForOwner` leaves out from where and with what its person logs in (S-225). */
export type Wanted = { id: string; isForOwner: boolean }

/** null: there is no such account. */
async function readProfile(db: Db, { id, isForOwner }: Wanted) {
  const user = await db.selectFrom('user').selectAll().where('id', '=', id).executeTakeFirst()
  if (!user) return null
  const ways = await db.selectFrom('account').select(['providerId', 'createdAt']).where('userId', '=', id).execute()
  const sessions = isForOwner ? [] : await db.selectFrom('session').selectAll().where('userId', '=', id).execute()
  return {
    id,
    name: user.name,
    email: user.email,
    isEmailConfirmed: Boolean(user.emailVerified),
    photo: user.image,
    registeredAt: timeOf(user.createdAt),
    waysToLogIn: ways.map((way) => ({ way: way.providerId === 'credential' ? 'password' : way.providerId, since: timeOf(way.createdAt) })),
    ...(!isForOwner && {
      sessions: sessions.map((session) => ({
        startedAt: timeOf(session.createdAt),
        lastSeenAt: timeOf(session.updatedAt),
        endsAt: timeOf(session.expiresAt),
        browser: session.userAgent,
        address: session.ipAddress,
      })),
    }),
  }
}

async function readFavourites(db: Db, id: string) {
  const rows = await db
    .selectFrom('favourites')
    .innerJoin('items', 'items.id', 'favourites.itemId')
    .select(['items.id', 'items.name', 'favourites.createdAt'])
    .where('userId', '=', id)
    .orderBy('favourites.createdAt')
    .orderBy('items.id')
    .execute()
  return rows.map(({ id: item, name, createdAt }) => ({ item, name, markedAt: isoTime(createdAt) }))
}

/** What is asked for now, and every time that something was asked for (S-196). */
async function readAskedFor(db: Db, id: string) {
  const order = await db.selectFrom('orders').select(['receiptTag', 'isClosed']).where('id', '=', id).executeTakeFirst()
  const lines = await db.selectFrom('orderItems').selectAll().where('orderId', '=', id).orderBy('position').orderBy('itemId').execute()
  const asked = await db.selectFrom('requests').selectAll().where('orderId', '=', id).orderBy('at').orderBy('itemId').execute()
  return {
    order: order && {
      receipt: order.receiptTag,
      isClosed: order.isClosed === 1,
      items: lines.map((line) => ({ item: line.itemId, name: line.name, price: line.priceCents / 100, isSold: line.isSold === 1 })),
    },
    requests: asked.map((one) => ({
      item: one.itemId,
      category: one.categoryTitle,
      askedAt: isoTime(one.at),
      cameToSale: one.saleId !== null,
    })),
  }
}

async function readPurchases(db: Db, id: string) {
  const sales = await db.selectFrom('sales').selectAll().where('buyerId', '=', id).orderBy('createdAt').orderBy('id').execute()
  const purchases = []
  for (const sale of sales) {
    const invoice = await findInvoice(db, receiptKey(sale))
    purchases.push({
      boughtAt: isoTime(sale.createdAt),
      item: sale.itemId,
      name: sale.itemName,
      price: sale.itemPriceCents === null ? null : sale.itemPriceCents / 100,
      paid: sale.salePriceCents / 100,
      receipt: sale.receiptTag,
      invoice: invoice && { number: invoice.number, shipping: invoice.shippingCents / 100 },
      inTheNameOf: { name: sale.buyerName, email: sale.buyerEmail },
    })
  }
  return purchases
}

async function readTestimonies(db: Db, id: string) {
  const rows = await db.selectFrom('testimonies').selectAll().where('writerId', '=', id).orderBy('createdAt').orderBy('id').execute()
  return rows.map((row) => ({
    ticket: row.id,
    receipt: row.receiptTag,
    ticketFrom: isoTime(row.createdAt),
    writtenAt: row.writtenAt === null ? null : isoTime(row.writtenAt),
    testimony: row.testimony,
    isShownOnThePage: row.showOnPage === 1,
    inTheNameOf: { name: row.writerName, email: row.writerEmail },
  }))
}

type OwnBooks = NonNullable<Awaited<ReturnType<typeof readBooks>>>

/** Everything but the conversation; null: there is no such account. */
async function readBooks({ db, timeZone, now }: Shop, wanted: Wanted) {
  const profile = await readProfile(db, wanted)
  if (!profile) return null
  const { id } = wanted
  return {
    ...{ shopName: (await readSettings(db)).name, timeZone, at: now(), profile },
    favourites: await readFavourites(db, id),
    asked: await readAskedFor(db, id),
    purchases: await readPurchases(db, id),
    testimonies: await readTestimonies(db, id),
  }
}

const PART = 500

/** Her conversation, as she sees it, up to the newest message of this moment; a part at a time. */
async function* readOwnMessages({ db }: Pick<Shop, 'db'>, id: string) {
  const order = await db.selectFrom('orders').select('lastSeq').where('id', '=', id).executeTakeFirst()
  for (let from = 0; from < (order?.lastSeq ?? 0); from += PART) {
    const upTo = Math.min(from + PART, order!.lastSeq)
    const part = db.selectFrom('messages as m').where('m.orderId', '=', id).where('m.seq', '>', from).where('m.seq', '<=', upTo)
    const messages = await part.select(['m.seq', 'm.id', 'm.message', 'm.sender', 'm.createdAt']).orderBy('m.seq').execute()
    const pictures = await part
      .innerJoin('messagePictures as s', (join) => join.onRef('s.orderId', '=', 'm.orderId').onRef('s.messageId', '=', 'm.id'))
      .innerJoin('pictures as p', 'p.id', 's.pictureId')
      .select(['m.seq', 's.position', 'p.path'])
      .orderBy('m.seq')
      .orderBy('s.position')
      .execute()
    const bySeq = Map.groupBy(pictures, (picture) => picture.seq)
    yield messages.map(({ seq, message, sender, createdAt }) => ({
      at: createdAt,
      from: sender === id ? 'you' : 'shop',
      text: message,
      // The picture's path in the shop, and its name in the archive.
      pictures: (bySeq.get(seq) ?? []).map(({ position, path }) => ({
        path,
        name: `pictures/${seq}-${position + 1}${path.slice(path.lastIndexOf('.'))}`,
      })),
    }))
  }
}

const style = `body{font:1rem/1.5 system-ui,sans-serif;max-width:44rem;margin:2rem auto;padding:0 1rem;color:#2b2622;background:#fff}
h2{margin-top:2.5rem}li{margin-bottom:.4rem}time{color:#6a6058;font-size:.875rem}p{white-space:pre-wrap;overflow-wrap:anywhere;margin:.2rem 0}
article{margin:.8rem 0;padding:.6rem .9rem;border-radius:.6rem;background:#f4efe9}article.you{margin-left:3rem;background:#e6eee6}
img{max-width:100%;max-height:24rem;display:block;margin-top:.5rem;border-radius:.4rem}`

const Section = ({ title, children }: { title: string; children: ReactNode }) => (
  <section>
    <h2>{title}</h2>
    {children}
  </section>
)
/** Nothing where there is nothing. */
const List = ({ title, lines }: { title: string; lines: string[] }) =>
  lines.length > 0 && (
    <Section title={title}>
      <ul>
        {lines.map((line, index) => (
          <li key={index}>{line}</li>
        ))}
      </ul>
    </Section>
  )

/** Everything but the conversation: the page's beginning. */
function pageBegin({ shopName, timeZone, at, profile, favourites, asked, purchases, testimonies }: OwnBooks, photo: string | null): string {
  const day = (time: string) => formatDate(Date.parse(time), timeZone)
  const money = (dollars: number) => formatMoney(Math.round(dollars * 100))
  const title = `Your data at ${shopName}`
  const body = renderToStaticMarkup(
    <>
      <h1>{title}</h1>
      <p>{`As of ${formatDate(at, timeZone)}. The files beside this page hold the same for programs.`}</p>
      <Section title="Account">
        {photo && <img src={photo} alt="Your profile" />}
        <ul>
          {profile.name && <li>{`Name: ${profile.name}`}</li>}
          <li>{`Email: ${profile.email}${profile.isEmailConfirmed ? '' : ' (not confirmed)'}`}</li>
          <li>{`Here since ${day(profile.registeredAt)}`}</li>
          {profile.waysToLogIn.map(({ way, since }) => (
            <li key={way}>{`Log in by ${way}, since ${day(since)}`}</li>
          ))}
        </ul>
      </Section>
      <List
        title="Where you are logged in"
        lines={(profile.sessions ?? [])
          .filter(({ endsAt }) => Date.parse(endsAt) > at)
          .map(
            ({ startedAt, browser, address }) =>
              `Since ${day(startedAt)}${address ? `, from ${address}` : ''}${browser ? `: ${browser}` : ''}`,
          )}
      />
      <List title="Favorites" lines={favourites.map(({ name, markedAt }) => `${name}, since ${day(markedAt)}`)} />
      <List
        title="Your order"
        lines={(asked.order?.items ?? []).map(({ name, price, isSold }) => `${name}, ${money(price)}${isSold ? ', bought' : ''}`)}
      />
      <List
        title="Purchases"
        lines={purchases.map(
          ({ name, paid, boughtAt, invoice }) =>
            `${name}, ${money(paid)}, on ${day(boughtAt)}${invoice ? `, invoice ${invoice.number}` : ''}`,
        )}
      />
      <List
        title="Testimonies"
        lines={testimonies.map(({ writtenAt, testimony }) => (writtenAt === null ? 'A ticket that waits for your words' : testimony))}
      />
    </>,
  )
  const name = renderToStaticMarkup(title)
  return `<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${name}</title><style>${style}</style></head><body>${body}<h2>Messages</h2>\n`
}

/** null: there is no such account. The file's name is no name of a person. */
export async function downloadArchive(shop: Shop, wanted: Wanted): Promise<Response | null> {
  const books = await readBooks(shop, wanted)
  if (!books) return null
  const name = `${wanted.isForOwner ? 'customer' : 'my'}-data-${isoTime(books.at).slice(0, 10)}.zip`
  return zipDownload(archive(shop, wanted.id, books), name, shop)
}

const json = (value: unknown) => [`${JSON.stringify(value, null, 2)}\n`]

async function* archive(shop: Shop, id: string, books: OwnBooks): AsyncGenerator<ZipEntry> {
  const photo = await readPhoto(shop, books.profile.photo)
  yield { path: 'your-data.html', content: page(shop, id, books, photo?.path ?? null) }
  if (photo) yield photo
  yield { path: 'account.json', content: json({ exportedAt: isoTime(books.at), ...books.profile }) }
  yield { path: 'favorites.json', content: json(books.favourites) }
  yield { path: 'orders.json', content: json(books.asked) }
  yield { path: 'purchases.json', content: json(books.purchases) }
  yield { path: 'testimonies.json', content: json(books.testimonies) }
  yield { path: 'messages.json', content: jsonText({ messages: messageParts(shop, id) }) }
  for await (const part of readOwnMessages(shop, id))
    for (const { path, name } of part.flatMap((message) => message.pictures)) {
      const bytes = await shop.files.read(path)
      // Without its file the place in the conversation stays empty, as it does in the shop.
      if (bytes) yield { path: name, content: [bytes], isPacked: true }
      else shop.log.error('a picture has lost its file', undefined, { path })
    }
}

async function readPhoto({ files }: Shop, image: string | null): Promise<ZipEntry | null> {
  if (!image?.startsWith('/pictures/')) return null
  const bytes = await files.read(pathOfUrl(image))
  return bytes && { path: `photo${image.slice(image.lastIndexOf('.'))}`, content: [bytes], isPacked: true }
}

async function* page(shop: Shop, id: string, books: OwnBooks, photo: string | null): AsyncGenerator<string> {
  const { shopName, timeZone } = books
  yield pageBegin(books, photo)
  let isEmpty = true
  for await (const part of readOwnMessages(shop, id)) {
    isEmpty = false
    yield renderToStaticMarkup(
      part.map(({ at, from, text, pictures }, index) => (
        <article className={from} key={index}>
          <strong>{from === 'you' ? 'You' : shopName}</strong> <time dateTime={isoTime(at)}>{momentText(at, timeZone)}</time>
          {text && <p>{text}</p>}
          {pictures.map(({ name }) => (
            <img key={name} src={name} alt="" />
          ))}
        </article>
      )),
    )
  }
  yield `${isEmpty ? '<p>None.</p>' : ''}</body></html>\n`
}

async function* messageParts(shop: Shop, id: string) {
  for await (const part of readOwnMessages(shop, id))
    yield part.map(({ at, from, text, pictures }) => ({ at: isoTime(at), from, text, pictures: pictures.map(({ name }) => name) }))
}
