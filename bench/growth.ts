/**
 * Compares the cost of each page and action in a large and a small shop, on SQLite and on
 * PostgreSQL. The large shop has a million messages, and the small shop has 10,000.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { openSqliteDatabase } from '../app/services/database.server.ts'
import { openPostgres } from '../app/services/postgres.server.ts'
import type { Db } from '../db/schema.ts'
import { FEW, growShop, MANY, type Size } from './growth-data.ts'
import { visits, type Visit, type Who } from './page-visits.ts'
import type { Bench, Found } from './areas.ts'
import { atMost } from './checks.ts'
import { register, signIn } from './customers.ts'
import { processorTime, spent, type Used } from './processor-time.ts'
import { dayAndTime } from '#ui/format-date.ts'
import { ms, percentile, stamp, table, times, formatInteger } from './report.ts'
import { OWNER, serveShop, type ServedShop } from './served-shop.ts'

const ANN = { email: 'ann@mail.test', password: 'a-password-for-the-bench' }
const WARM_UP_ROUNDS = 2

type GrowthRow = { who: Who; name: string; few: number; many: number; ratio: number | null }
type Growth = { database: string; rows: GrowthRow[]; filled: number }
type Asked = {
  folder: string
  rounds: number
  say: (line: string) => void
  only?: string | undefined
  databases?: string[]
}

/** PostgreSQL is measured only if the tests' embedded PostgreSQL is installed. */
async function measureDatabases(options: Asked): Promise<Growth[]> {
  const { databases = ['SQLite', 'PostgreSQL'] } = options
  const sqlite = databases.includes('SQLite')
    ? [await measureOn('SQLite', options, () => Promise.resolve(''))]
    : []
  const postgres = databases.includes('PostgreSQL') ? await openServer() : null
  if (!postgres) return sqlite
  try {
    return [...sqlite, await measureOn('PostgreSQL', options, postgres.create)]
  } finally {
    await postgres.stop()
  }
}

async function measureOn(
  database: string,
  { folder, rounds, say, only }: Asked,
  create: (name: string) => Promise<string>,
): Promise<Growth> {
  say(`growth on ${database}: a shop of a hundred of each and one of a million messages`)
  const begun = performance.now()
  const few = await openFilledShop(join(folder, `growth-few-${database}`), FEW, await create('few'))
  const many = await openFilledShop(
    join(folder, `growth-many-${database}`),
    MANY,
    await create('many'),
  )
  const filled = performance.now() - begun
  try {
    const rows: GrowthRow[] = []
    for (const visit of visits.filter(
      ({ name, who }) => !only || `${who} ${name}`.includes(only),
    )) {
      const took: [number[], number[]] = [[], []]
      const all = visit.readsWholeTables ? 1 : rounds
      for (let round = 1; round <= all + WARM_UP_ROUNDS; round++)
      // The requests to both shops alternate, so that other work on the machine affects both
      // shops. The first rounds are a warm-up.
      {
        for (const [at, shop] of [few, many].entries()) {
          const time = await shop.ask(visit, round)
          if (round > WARM_UP_ROUNDS) took[at]!.push(time)
        }
      }
      const [one, other] = took.map((times) => percentile(times, 0.3)) as [number, number]
      rows.push({
        who: visit.who,
        name: visit.name,
        few: one,
        many: other,
        ratio: visit.readsWholeTables ? null : other / one,
      })
    }
    return { database, rows, filled }
  } finally {
    await few.stop()
    await many.stop()
  }
}

/**
 * Registers a customer in an empty shop, fills the shop's database while the shop is stopped, and
 * starts the shop again. `fillMore` adds rows to those of growth-data.ts.
 */
export async function openFilledShop(
  dataDir: string,
  size: Size,
  databaseUrl: string,
  fillMore?: (db: Db) => Promise<void>,
) {
  await mkdir(dataDir, { recursive: true })
  const settings = { DATABASE_URL: databaseUrl }
  const empty = await serveShop(dataDir, 0, settings)
  const customer = await register(empty.origin, ANN)
  const owner = await signIn(empty.origin, OWNER)
  await empty.stop()
  const { db, close } = databaseUrl ? openPostgres(databaseUrl) : openSqliteDatabase(dataDir)
  const { id } = await db
    .selectFrom('user')
    .select('id')
    .where('email', '=', ANN.email)
    .executeTakeFirstOrThrow()
  const [day] = dayAndTime(Date.now() + 86_400_000, 'UTC')
  await growShop(db, size, { customer: id, now: Date.now() })
  await fillMore?.(db)
  await close()
  const shop = await serveShop(dataDir, 0, settings)
  const cookies: Record<Who, string> = {
    visitor: '',
    customer: customer.cookie,
    owner: owner.cookie,
  }
  const stamp =
    /name="stamp"[^>]*value="([^"]+)"/.exec(
      await (await fetch(`${shop.origin}/contact/?tab=mail`)).text(),
    )?.[1] ?? ''
  const name = databaseUrl && new URL(databaseUrl).pathname.slice(1)
  /**
   * Returns the processor time of the shop, or null if the operating system does not report this
   * time. The benchmark then compares elapsed times.
   */
  const timeOf = () => (existsSync('/proc/self/schedstat') ? processorTime(shop.pid, name) : null)
  await untilAtRest(timeOf)
  const timed = async (visit: Visit, round: number) => {
    const before = timeOf()
    const took = await ask(shop, visit, round, { me: id, stamp, day, cookie: cookies[visit.who] })
    const after = timeOf()
    return before === null || after === null ? took : spent(before, after)
  }
  return { ask: timed, stop: shop.stop }
}

/**
 * Waits until the shop has finished the work that follows a start, such as cleanup jobs. Otherwise
 * this work would count as the cost of a page.
 */
async function untilAtRest(timeOf: () => Used | null) {
  for (let looks = 0, before = timeOf(); looks < 60; looks++) {
    await pause(500)
    const after = timeOf()
    if (before === null || after === null || spent(before, after) < 10) return
    before = after
  }
}

async function ask(
  { origin }: ServedShop,
  { path, form, name }: Visit,
  round: number,
  known: { me: string; stamp: string; day: string; cookie: string },
) {
  const named = (text: string) =>
    text
      .replaceAll('{me}', known.me)
      .replaceAll('{stamp}', known.stamp)
      .replaceAll('{day}', known.day)
  const address = named(typeof path === 'string' ? path : path(round))
  const typed =
    form &&
    Object.fromEntries(Object.entries(form(round)).map(([field, text]) => [field, named(text)]))
  const begun = performance.now()
  const answer = await fetch(origin + (form ? asData(address) : address), {
    headers: { cookie: known.cookie, origin },
    redirect: 'manual',
    ...(typed && { method: 'POST', body: new URLSearchParams(typed) }),
  })
  await answer.arrayBuffer()
  const took = performance.now() - begun
  if (answer.status >= 400 && name !== 'Unknown item') {
    throw new Error(`${name}, ${address} answers ${answer.status} in round ${round}`)
  }
  return took
}

/**
 * Returns the data URL to which the JavaScript of a page sends a form. The shop responds to this
 * URL with the result of the action, without a page.
 */
const asData = (address: string): string => {
  const url = new URL(address, 'http://shop')
  return `${url.pathname.endsWith('/') ? `${url.pathname}_` : url.pathname}.data${url.search}`
}

const ROUNDS = 5
const MAX_RATIO = 1.5

export async function measureGrowth({ folder, say }: Bench): Promise<Found> {
  const found = await measureDatabases({ folder, rounds: ROUNDS, say })
  const parts = found.map(({ database, rows, filled }) => {
    const slow = rows.filter(({ ratio }) => ratio !== null && ratio > MAX_RATIO)
    const summary =
      slow.length === 0
        ? `All are below ${MAX_RATIO}.`
        : `Above ${MAX_RATIO}: ${slow.map(({ name }) => name).join('; ')}.`
    return `### ${database}\n\nFilling both shops took ${formatInteger(filled / 1000)} s. ${summary}\n\n${table(
      ['who', 'page or action', 'a hundred, ms', 'a million messages, ms', 'ratio'],
      rows.map(({ who, name, few, many, ratio }) => [
        who,
        name,
        ms(few),
        ms(many),
        ratio === null ? '–' : times(many, few),
      ]),
    )}`
  })
  const text = `The benchmark requests each page and action alternately from two shops. The large shop has ${formatInteger(MANY.items)} items, ${formatInteger(MANY.conversations)} conversations with ${formatInteger(
    MANY.conversations * MANY.messagesEach + MANY.longest,
  )} messages (${formatInteger(MANY.longest)} of them one customer's, all unread), ${formatInteger(MANY.sales)} sales, ${formatInteger(MANY.acts)} audit rows and ${formatInteger(
    MANY.emails,
  )} emails; the
small one has a hundred of each. The tables show milliseconds of processor time (of the shop and its database): the 30th percentile of
${ROUNDS} rounds, after ${WARM_UP_ROUNDS} rounds of warm-up. Exports contain all rows, so they have no ratio. ${stamp('growth')}

${parts.join('\n\n')}`
  const ratios = (rows: GrowthRow[]) =>
    rows.flatMap(({ name, ratio }) => (ratio === null ? [] : [{ name, value: ratio }]))
  const goal = (database: string) =>
    `${database}: a page or action in a shop of a million messages, compared with a hundred`
  return {
    text,
    checks: found.map(({ database, rows }) =>
      atMost(goal(database), MAX_RATIO, ' x', ratios(rows)),
    ),
  }
}

/** Starts the embedded PostgreSQL of the tests. Returns null if it cannot be started. */
async function openServer() {
  const keeper = spawn(
    process.execPath,
    [fileURLToPath(new URL('../test/fixtures/postgres-keeper.ts', import.meta.url))],
    {
      stdio: ['pipe', 'pipe', 'inherit'],
    },
  )
  const ended = once(keeper, 'close')
  const [url] = await Promise.race([
    once(createInterface(keeper.stdout), 'line'),
    ended.then(() => []),
  ])
  if (typeof url !== 'string') return null
  const create = async (name: string) => {
    const { db, close } = openPostgres(url)
    const { sql } = await import('kysely')
    await sql`create database ${sql.id(`growth_${name}`)} template template0`.execute(db)
    // The server of the tests flushes commits late, so vacuum would not mark new rows as visible to
    // all, and PostgreSQL would avoid index-only scans.
    await sql`alter database ${sql.id(`growth_${name}`)} set synchronous_commit = on`.execute(db)
    await close()
    return Object.assign(new URL(url), { pathname: `/growth_${name}` }).href
  }
  const stop = async () => {
    keeper.stdin.end()
    await ended
  }
  return { create, stop }
}
