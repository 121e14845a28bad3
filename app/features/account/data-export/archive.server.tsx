/** The one file of all data of an account: a page to read, the same as JSON, and the pictures (S-224). Written as it is downloaded. */
import { renderToStaticMarkup } from 'react-dom/server'
import type { ReactNode } from 'react'
import { formatMoney } from '#app/features/pricing/money.ts'
import { formatDate } from '#app/ui/dates.ts'
import { momentText } from '#app/ui/moments.ts'
import { isoTime, readBooks, readOwnMessages, type OwnBooks, type Wanted } from './data-export.server.ts'
import { pathOfUrl } from '#app/features/images/picture-upload.ts'
import type { Shop } from '#app/platform/context.ts'
import { jsonText } from '#app/platform/json-text.ts'
import { zipDownload, type ZipEntry } from '#app/platform/zip-download.server.ts'

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
