import type { ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { dataExportTexts as texts } from '../texts.ts'
import { listCredits } from '#credits/credits.server.ts'
import { pathOfUrl } from '#images/image-upload.ts'
import { readMessageBatches } from '#conversation/message-batches.server.ts'
import { receiptKey } from '#conversation/receipt-key.ts'
import { paidText } from '#payments/texts.ts'
import { formatMoney } from '#pricing/money.ts'
import { findInvoice } from '#print-documents/print-documents.server.ts'
import { readSettings } from '#settings/settings.server.ts'
import type { AppServices } from '#services/context.ts'
import { htmlStart } from '#lib/http/html-start.ts'
import { streamJson } from '#lib/http/streamed-json.ts'
import { findUser, toEpochMs } from '#services/users.server.ts'
import { zipDownload } from '#lib/http/download.server.ts'
import { formatDate } from '#ui/format-date.ts'
import { formatDateTime } from '#ui/format-date-time.ts'
import type { Db } from '#db/schema.ts'
import { offerTotal } from '#offers/offer.ts'
import { readOffers } from '#offers/offers.server.ts'
import { trackingLink } from '#parcels/parcel.ts'

const isoText = (at: number) => new Date(at).toISOString()
const isoTextOrNull = (at: number | null) => (at === null ? null : isoText(at))
const authTimeText = (date: unknown) => isoText(toEpochMs(date))

type ExportOptions = { id: string; isForOwner: boolean }

async function readProfile(db: Db, { id, isForOwner }: ExportOptions) {
  const user = await findUser(db, id)
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
    ticketFrom: row.isAvailable ? isoText(row.createdAt) : null,
    writtenAt: row.isAvailable ? null : isoText(row.createdAt),
    testimony: row.testimony,
    isShownOnThePage: row.showOnPage,
    inTheNameOf: { name: row.writerName, email: row.writerEmail },
  }))
}

const readCredits = async (db: Db, id: string) =>
  (await listCredits(db, id)).map(({ code, cents, createdAt, usedAt }) => ({
    code,
    amount: cents / 100,
    earnedAt: isoText(createdAt),
    usedAt: isoTextOrNull(usedAt),
  }))

type DataExport = NonNullable<Awaited<ReturnType<typeof readDataExport>>>

async function readDataExport(
  { db, timeZone, currency, now }: AppServices,
  options: ExportOptions,
) {
  const profile = await readProfile(db, options)
  if (!profile) return null
  const { id } = options
  return {
    shopName: (await readSettings(db)).name,
    timeZone,
    currency,
    at: now(),
    profile,
    favorites: await readFavorites(db, id),
    asked: await readOwnOrder(db, id),
    purchases: await readPurchases(db, id),
    testimonies: await readTestimonies(db, id),
    credits: await readCredits(db, id),
  }
}

async function readOwnOrder(db: Db, id: string) {
  const order = await db
    .selectFrom('orders')
    .select(['receiptTag', 'isClosed'])
    .where('id', '=', id)
    .executeTakeFirst()
  const lines = await db
    .selectFrom('orderItems')
    .selectAll()
    .where('orderId', '=', id)
    .orderBy('position')
    .orderBy('itemId')
    .execute()
  const requests = await db
    .selectFrom('requests')
    .selectAll()
    .where('orderId', '=', id)
    .orderBy('at')
    .orderBy('itemId')
    .execute()
  return {
    order: order && {
      receipt: order.receiptTag,
      isClosed: order.isClosed,
      items: lines.map((line) => ({
        item: line.itemId,
        name: line.name,
        color: line.color,
        price: line.priceCents / 100,
        // "price" and "shownPrice" are for one piece, "agreedPrice" is for the whole quantity.
        quantity: line.quantity,
        agreedPrice: line.agreedCents === null ? null : line.agreedCents / 100,
        shownPrice: line.shownPriceCents === null ? null : line.shownPriceCents / 100,
        isSold: line.isSold,
      })),
    },
    requests: requests.map((request) => ({
      item: request.itemId,
      category: request.categoryTitle,
      askedAt: isoText(request.at),
      cameToSale: request.saleId !== null,
    })),
    offers: await readOwnOffers(db, id),
  }
}

async function readOwnOffers(db: Db, id: string) {
  const rows = await db
    .selectFrom('offers')
    .select(['id', 'createdAt'])
    .where('orderId', '=', id)
    .orderBy('createdAt')
    .orderBy('id')
    .execute()
  const ids = rows.map((row) => row.id)
  const offers = await readOffers(db, ids)
  return rows.map((row) => {
    const offer = offers.get(row.id)!
    const { creditCode, parcel } = offer
    return {
      sentAt: isoText(row.createdAt),
      validUntil: isoText(offer.validUntil),
      state: offer.state,
      readyBy: offer.readyBy,
      lines: offer.lines.map(({ cents, ...line }) => ({ ...line, price: cents / 100 })),
      shipping: offer.shippingCents / 100,
      total: offerTotal(offer) / 100,
      deposit: offer.depositCents / 100,
      credit: creditCode === null ? null : { code: creditCode, amount: offer.creditCents / 100 },
      payments: (offer.payment?.payments ?? []).map(({ cents, ...payment }) => ({
        ...payment,
        amount: cents / 100,
      })),
      parcel: parcel && {
        recipient: parcel.recipient,
        address: parcel.address,
        tracking: trackingLink(parcel),
        shippedAt: isoTextOrNull(parcel.shippedAt),
        arrivedAt: isoTextOrNull(parcel.arrivedAt),
      },
    }
  })
}

async function* readOwnMessages({ db }: AppServices, id: string) {
  const order = await db
    .selectFrom('orders')
    .select(['id', 'lastSeq'])
    .where('id', '=', id)
    .executeTakeFirst()
  if (!order) return
  for await (const messages of readMessageBatches(db, order)) {
    const ids = messages.map((message) => message.id)
    const images = await db
      .selectFrom('messageImages as s')
      .innerJoin('images as p', 'p.id', 's.imageId')
      .select(['s.messageId', 's.position', 'p.path'])
      .where('s.orderId', '=', id)
      .where('s.messageId', 'in', ids)
      .orderBy('s.position')
      .execute()
    const byMessage = Map.groupBy(images, (image) => image.messageId)
    yield messages.map(({ seq, id: messageId, message, sender, createdAt }) => ({
      at: createdAt,
      from: sender === id ? 'you' : 'shop',
      text: message,
      images: (byMessage.get(messageId) ?? []).map(({ position, path }) => ({
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

function DataPage({ books, photo }: { books: DataExport; photo: string | undefined }) {
  const { timeZone, at, profile, asked } = books
  const day = (time: string) => formatDate(Date.parse(time), timeZone)
  const money = (amount: number) => formatMoney(Math.round(amount * 100), books.currency)
  return (
    <>
      <h1>{texts.title(books.shopName)}</h1>
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
            texts.session(day(startedAt), address, browser),
          )}
      />
      <List
        title={texts.favorites}
        lines={books.favorites.map(({ name, markedAt }) => texts.favorite(name, day(markedAt)))}
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
        lines={asked.offers.map((offer) => offerLine(offer, money))}
      />
      <List
        title={texts.purchases}
        lines={books.purchases.map(({ name, paid, boughtAt, invoice }) =>
          texts.purchase(name, money(paid), day(boughtAt), invoice?.number),
        )}
      />
      <List
        title={texts.testimonies}
        lines={books.testimonies.map(({ writtenAt, testimony }) =>
          writtenAt === null ? texts.unusedTicket : testimony,
        )}
      />
      <List
        title={texts.credits}
        lines={books.credits.map(({ code, amount, usedAt }) =>
          texts.credit(code, money(amount), usedAt !== null),
        )}
      />
    </>
  )
}

function offerLine(
  { lines, state, total, payments, parcel }: DataExport['asked']['offers'][number],
  money: (amount: number) => string,
) {
  const names = lines.map(({ name, quantity }) => texts.pieces(name, quantity)).join(', ')
  const shipTo = parcel
    ? [parcel.recipient, ...parcel.address.split('\n')].filter(Boolean).join(', ')
    : ''
  const offer = texts.offer(names, money(total), state, shipTo)
  const paid = payments.map(({ amount, ...payment }) => `${paidText(payment)}: ${money(amount)}`)
  return [offer, ...paid].join('. ')
}

/** The archive has no secrets and no data of others. Returns null without an account. */
export async function downloadArchive(app: AppServices, options: ExportOptions) {
  const books = await readDataExport(app, options)
  if (!books) return null
  const name = `${options.isForOwner ? 'customer' : 'my'}-data-${isoText(books.at).slice(0, 10)}.zip`
  return zipDownload(archiveEntries(app, options.id, books), name, app)
}

const json = (value: unknown) => [`${JSON.stringify(value, null, 2)}\n`]

async function* archiveEntries(app: AppServices, id: string, books: DataExport) {
  const photo = await readPhoto(app, books.profile.photo)
  yield { path: 'your-data.html', content: page(app, id, books, photo?.path) }
  if (photo) yield photo
  yield { path: 'account.json', content: json({ exportedAt: isoText(books.at), ...books.profile }) }
  yield { path: 'favorites.json', content: json(books.favorites) }
  yield { path: 'orders.json', content: json(books.asked) }
  yield { path: 'purchases.json', content: json(books.purchases) }
  yield { path: 'testimonies.json', content: json(books.testimonies) }
  yield { path: 'credits.json', content: json(books.credits) }
  yield { path: 'messages.json', content: streamJson({ messages: messageBatches(app, id) }) }
  for await (const part of readOwnMessages(app, id)) {
    for (const { path, name } of part.flatMap((message) => message.images)) {
      const bytes = await app.storage.read(path)
      if (bytes) yield { path: name, content: [bytes], isPacked: true }
      else app.log.error('the file of an image is missing', undefined, { path })
    }
  }
}

async function readPhoto({ storage }: AppServices, image: string | null) {
  if (!image?.startsWith('/pictures/')) return null
  const bytes = await storage.read(pathOfUrl(image))
  const path = `photo${image.slice(image.lastIndexOf('.'))}`
  return bytes && { path, content: [bytes], isPacked: true }
}

async function* page(app: AppServices, id: string, books: DataExport, photo: string | undefined) {
  const { shopName, timeZone } = books
  const title = renderToStaticMarkup(texts.title(shopName))
  const body = renderToStaticMarkup(
    <DataPage
      books={books}
      photo={photo}
    />,
  )
  yield `${htmlStart(title, style)}${body}<h2>${texts.messages}</h2>\n`
  let isEmpty = true
  for await (const part of readOwnMessages(app, id)) {
    isEmpty = false
    yield renderToStaticMarkup(
      part.map(({ at, from, text, images }, index) => (
        <article
          className={from}
          key={index}
        >
          <strong>{from === 'you' ? texts.you : shopName}</strong>{' '}
          <time dateTime={isoText(at)}>{formatDateTime(at, timeZone)}</time>
          {text && <p>{text}</p>}
          {images.map(({ name }) => (
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
  for await (const part of readOwnMessages(app, id)) {
    yield part.map(({ at, from, text, images }) => ({
      at: isoText(at),
      from,
      text,
      images: images.map(({ name }) => name),
    }))
  }
}
