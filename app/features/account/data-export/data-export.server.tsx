/** Exports all data of one account as a zip file, without secrets and without other people's data. The file is created while the browser downloads it. [S-224] */
import type { ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { dataExportTexts as texts } from '#app/features/account/texts.ts'
import { listCredits } from '#app/features/credits/credits.server.ts'
import { pathOfUrl } from '#app/features/images/image-upload.ts'
import { receiptKey } from '#app/features/orders/order.ts'
import { paidText } from '#app/features/payments/texts.ts'
import { formatMoney } from '#app/features/pricing/money.ts'
import { findInvoice } from '#app/features/print-documents/find-invoices.server.ts'
import { readSettings } from '#app/features/settings/settings.server.ts'
import type { AppServices } from '#app/services/context.ts'
import { streamJson } from '#app/lib/http/streamed-json.ts'
import { toEpochMs } from '#app/services/users.server.ts'
import { zipDownload, type ZipEntry } from '#app/lib/http/zip-download.server.ts'
import { formatDate } from '#app/ui/format-date.ts'
import { formatDateTime } from '#app/ui/format-date-time.ts'
import type { Db } from '#db/schema.ts'
import { offerSummary, readOwnOrder } from './own-order.server.ts'

const isoText = (at: number): string => new Date(at).toISOString()
const authTimeText = (date: unknown): string => isoText(toEpochMs(date))

/** `isForOwner` is true if the owner downloads a customer's data. The file then does not list the customer's login sessions. [S-225] */
type ExportOptions = { id: string; isForOwner: boolean }

/** Returns null if no account has the id. */
async function readProfile(db: Db, { id, isForOwner }: ExportOptions) {
  const user = await db.selectFrom('user').selectAll().where('id', '=', id).executeTakeFirst()
  if (!user) return null
  const ways = await db
    .selectFrom('account')
    .select(['providerId', 'createdAt'])
    .where('userId', '=', id)
    .execute()
  const sessions = isForOwner
    ? []
    : await db.selectFrom('session').selectAll().where('userId', '=', id).execute()
  return {
    id,
    name: user.name,
    email: user.email,
    isEmailConfirmed: Boolean(user.emailVerified),
    photo: user.image,
    registeredAt: authTimeText(user.createdAt),
    waysToLogIn: ways.map((account) => ({
      way: account.providerId === 'credential' ? 'password' : account.providerId,
      since: authTimeText(account.createdAt),
    })),
    ...(!isForOwner && {
      sessions: sessions.map((session) => ({
        startedAt: authTimeText(session.createdAt),
        lastSeenAt: authTimeText(session.updatedAt),
        endsAt: authTimeText(session.expiresAt),
        browser: session.userAgent,
        address: session.ipAddress,
      })),
    }),
  }
}

async function readFavorites(db: Db, id: string) {
  const rows = await db
    .selectFrom('favorites')
    .innerJoin('items', 'items.id', 'favorites.itemId')
    .select(['items.id', 'items.name', 'favorites.createdAt'])
    .where('userId', '=', id)
    .orderBy('favorites.createdAt')
    .orderBy('items.id')
    .execute()
  return rows.map(({ id: item, name, createdAt }) => ({ item, name, markedAt: isoText(createdAt) }))
}

async function readPurchases(db: Db, id: string) {
  const sales = await db
    .selectFrom('sales')
    .selectAll()
    .where('buyerId', '=', id)
    .orderBy('createdAt')
    .orderBy('id')
    .execute()
  const purchases = []
  for (const sale of sales) {
    const invoice = await findInvoice(db, receiptKey(sale))
    purchases.push({
      boughtAt: isoText(sale.createdAt),
      item: sale.itemId,
      name: sale.itemName,
      color: sale.color,
      price: sale.itemPriceCents === null ? null : sale.itemPriceCents / 100,
      paid: sale.salePriceCents / 100,
      receipt: sale.receiptTag,
      invoice: invoice && {
        number: invoice.number,
        shipping: invoice.shippingCents / 100,
        billedTo: invoice.billTo,
      },
      cancels: sale.cancels,
      inTheNameOf: { name: sale.buyerName, email: sale.buyerEmail },
    })
  }
  return purchases
}

async function readTestimonies(db: Db, id: string) {
  const rows = await db
    .selectFrom('testimonies')
    .selectAll()
    .where('writerId', '=', id)
    .orderBy('createdAt')
    .orderBy('id')
    .execute()
  return rows.map((row) => ({
    ticket: row.id,
    receipt: row.receiptTag,
    ticketFrom: isoText(row.createdAt),
    writtenAt: row.writtenAt === null ? null : isoText(row.writtenAt),
    testimony: row.testimony,
    isShownOnThePage: row.showOnPage === 1,
    inTheNameOf: { name: row.writerName, email: row.writerEmail },
  }))
}

const readCredits = async (db: Db, id: string) =>
  (await listCredits(db, id)).map(({ code, cents, createdAt, usedAt }) => ({
    ...{
      code,
      amount: cents / 100,
      earnedAt: isoText(createdAt),
      usedAt: usedAt === null ? null : isoText(usedAt),
    },
  }))

type DataExport = NonNullable<Awaited<ReturnType<typeof readDataExport>>>

/** Reads all data of the account except the conversation. Returns null if no account has the id. */
async function readDataExport(
  { db, timeZone, currency, now }: AppServices,
  options: ExportOptions,
) {
  const profile = await readProfile(db, options)
  if (!profile) return null
  const { id } = options
  return {
    ...{ shopName: (await readSettings(db)).name, timeZone, currency, at: now(), profile },
    favorites: await readFavorites(db, id),
    asked: await readOwnOrder(db, id),
    purchases: await readPurchases(db, id),
    testimonies: await readTestimonies(db, id),
    credits: await readCredits(db, id),
  }
}

const BATCH_SIZE = 500

/** Reads the customer's conversation in batches, up to the message that is the newest when the download starts. */
async function* readOwnMessages({ db }: Pick<AppServices, 'db'>, id: string) {
  const order = await db
    .selectFrom('orders')
    .select('lastSeq')
    .where('id', '=', id)
    .executeTakeFirst()
  for (let from = 0; from < (order?.lastSeq ?? 0); from += BATCH_SIZE) {
    const upTo = Math.min(from + BATCH_SIZE, order!.lastSeq)
    const part = db
      .selectFrom('messages as m')
      .where('m.orderId', '=', id)
      .where('m.seq', '>', from)
      .where('m.seq', '<=', upTo)
    const messages = await part
      .select(['m.seq', 'm.id', 'm.message', 'm.sender', 'm.createdAt'])
      .orderBy('m.seq')
      .execute()
    const pictures = await part
      .innerJoin('messagePictures as s', (join) =>
        join.onRef('s.orderId', '=', 'm.orderId').onRef('s.messageId', '=', 'm.id'),
      )
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
      // `path` is the image's path in the shop, and `name` its name in the zip file.
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

/** Renders the beginning of the page your-data.html, up to the conversation. */
function pageStart(
  {
    shopName,
    timeZone,
    currency,
    at,
    profile,
    favorites,
    asked,
    purchases,
    testimonies,
    credits,
  }: DataExport,
  photo: string | null,
): string {
  const day = (time: string) => formatDate(Date.parse(time), timeZone)
  const money = (dollars: number) => formatMoney(Math.round(dollars * 100), currency)
  const title = texts.title(shopName)
  const body = renderToStaticMarkup(
    <>
      <h1>{title}</h1>
      <p>{texts.asOf(formatDate(at, timeZone))}</p>
      <Section title={texts.account}>
        {photo && (
          <img
            src={photo}
            alt={texts.photo}
          />
        )}
        <ul>
          {profile.name && <li>{texts.name(profile.name)}</li>}
          <li>{texts.email(profile.email, profile.isEmailConfirmed)}</li>
          <li>{texts.registered(day(profile.registeredAt))}</li>
          {profile.waysToLogIn.map(({ way, since }) => (
            <li key={way}>{texts.wayToLogIn(way, day(since))}</li>
          ))}
        </ul>
      </Section>
      <List
        title={texts.sessions}
        lines={(profile.sessions ?? [])
          .filter(({ endsAt }) => Date.parse(endsAt) > at)
          .map(({ startedAt, browser, address }) =>
            texts.session({ since: day(startedAt), address, browser }),
          )}
      />
      <List
        title={texts.favorites}
        lines={favorites.map(({ name, markedAt }) => texts.favorite(name, day(markedAt)))}
      />
      <List
        title={texts.order}
        lines={(asked.order?.items ?? []).map(({ name, price, quantity, agreedPrice, isSold }) =>
          texts.orderItem(
            texts.pieces(name, quantity),
            money(agreedPrice ?? price * quantity),
            isSold,
          ),
        )}
      />
      <List
        title={texts.offers}
        lines={asked.offers.map((offer) => {
          const payments = offer.payments.map(
            ({ amount, ...payment }) => `${paidText(payment)}: ${money(amount)}`,
          )
          return [
            texts.offer({ ...offerSummary(offer), total: money(offer.total) }),
            ...payments,
          ].join('. ')
        })}
      />
      <List
        title={texts.purchases}
        lines={purchases.map(({ name, paid, boughtAt, invoice }) =>
          texts.purchase({
            name,
            paid: money(paid),
            date: day(boughtAt),
            invoice: invoice?.number,
          }),
        )}
      />
      <List
        title={texts.testimonies}
        lines={testimonies.map(({ writtenAt, testimony }) =>
          writtenAt === null ? texts.unusedTicket : testimony,
        )}
      />
      <List
        title={texts.credits}
        lines={credits.map(({ code, amount, usedAt }) =>
          texts.credit(code, money(amount), usedAt !== null),
        )}
      />
    </>,
  )
  const name = renderToStaticMarkup(title)
  return `<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${name}</title><style>${style}</style></head><body>${body}<h2>${texts.messages}</h2>\n`
}

/** Returns an HTTP response with the zip file, or null if no account has the id. The file name does not contain the customer's name. */
export async function downloadArchive(
  app: AppServices,
  options: ExportOptions,
): Promise<Response | null> {
  const books = await readDataExport(app, options)
  if (!books) return null
  const name = `${options.isForOwner ? 'customer' : 'my'}-data-${isoText(books.at).slice(0, 10)}.zip`
  return zipDownload(archiveEntries(app, options.id, books), name, app)
}

const json = (value: unknown) => [`${JSON.stringify(value, null, 2)}\n`]

async function* archiveEntries(
  app: AppServices,
  id: string,
  books: DataExport,
): AsyncGenerator<ZipEntry> {
  const photo = await readPhoto(app, books.profile.photo)
  yield { path: 'your-data.html', content: page(app, id, books, photo?.path ?? null) }
  if (photo) yield photo
  yield { path: 'account.json', content: json({ exportedAt: isoText(books.at), ...books.profile }) }
  yield { path: 'favorites.json', content: json(books.favorites) }
  yield { path: 'orders.json', content: json(books.asked) }
  yield { path: 'purchases.json', content: json(books.purchases) }
  yield { path: 'testimonies.json', content: json(books.testimonies) }
  yield { path: 'credits.json', content: json(books.credits) }
  yield { path: 'messages.json', content: streamJson({ messages: messageBatches(app, id) }) }
  for await (const part of readOwnMessages(app, id))
    for (const { path, name } of part.flatMap((message) => message.pictures)) {
      const bytes = await app.storage.read(path)
      // If the file of an image is missing, the export continues without the image.
      if (bytes) yield { path: name, content: [bytes], isPacked: true }
      else app.log.error('the file of an image is missing', undefined, { path })
    }
}

async function readPhoto({ storage }: AppServices, image: string | null): Promise<ZipEntry | null> {
  if (!image?.startsWith('/pictures/')) return null
  const bytes = await storage.read(pathOfUrl(image))
  return (
    bytes && {
      path: `photo${image.slice(image.lastIndexOf('.'))}`,
      content: [bytes],
      isPacked: true,
    }
  )
}

async function* page(
  app: AppServices,
  id: string,
  books: DataExport,
  photo: string | null,
): AsyncGenerator<string> {
  const { shopName, timeZone } = books
  yield pageStart(books, photo)
  let isEmpty = true
  for await (const part of readOwnMessages(app, id)) {
    isEmpty = false
    yield renderToStaticMarkup(
      part.map(({ at, from, text, pictures }, index) => (
        <article
          className={from}
          key={index}
        >
          <strong>{from === 'you' ? texts.you : shopName}</strong>{' '}
          <time dateTime={isoText(at)}>{formatDateTime(at, timeZone)}</time>
          {text && <p>{text}</p>}
          {pictures.map(({ name }) => (
            <img
              key={name}
              src={name}
              alt=""
            />
          ))}
        </article>
      )),
    )
  }
  yield `${isEmpty ? `<p>${texts.noMessages}</p>` : ''}</body></html>\n`
}

async function* messageBatches(app: AppServices, id: string) {
  for await (const part of readOwnMessages(app, id))
    yield part.map(({ at, from, text, pictures }) => ({
      at: isoText(at),
      from,
      text,
      pictures: pictures.map(({ name }) => name),
    }))
}
