/**
 * Installs EverShop, another open-source shop for Node, from npm, and fills it with the categories
 * and listed items of the demo shop, and with the first picture of each item.
 */
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { cp, mkdir, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { freePort } from '#test/fixtures/network.ts'
import { openPostgresServer } from '#test/fixtures/postgres-server.ts'
import type { OnCleanup } from '#test/fixtures/processes.ts'

const run = promisify(execFile)
export const EVERSHOP_VERSION = '2.2.1'
/**
 * Outside this repository. Inside it, Tailwind, which EverShop uses, would apply this repository's
 * .gitignore, and EverShop's CSS would contain every style twice.
 */
const FOLDER = join(tmpdir(), `evershop-${EVERSHOP_VERSION}`)
const ADMIN = { email: 'admin@example.com', password: 'admin-password-1' }

type Peer = {
  origin: string
  /** milliseconds from the start of the process to the first successful response */
  startedIn: number
  /** paths of a category and of an item */
  category: string
  item: string
  /** returns the resident memory of EverShop's three processes in bytes */
  memory: () => Promise<number>
}

/**
 * Installs and builds EverShop once. EverShop imports concat-stream, but does not list it in its
 * dependencies.
 */
async function install(env: NodeJS.ProcessEnv, say: (line: string) => void): Promise<void> {
  if (existsSync(join(FOLDER, 'built'))) return
  say('installing and building EverShop')
  await mkdir(join(FOLDER, 'media', 'catalog'), { recursive: true })
  const dependencies = { '@evershop/evershop': EVERSHOP_VERSION, 'concat-stream': '2.0.0' }
  await writeFile(
    join(FOLDER, 'package.json'),
    JSON.stringify({ name: 'peer', private: true, type: 'module', dependencies }),
  )
  await run('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts'], { cwd: FOLDER, env })
  await run(process.execPath, [join(FOLDER, 'node_modules/.bin/evershop'), 'build'], {
    cwd: FOLDER,
    env,
    maxBuffer: 1e8,
  })
  await writeFile(join(FOLDER, 'built'), '')
}

/**
 * Starts EverShop in production mode on an embedded PostgreSQL. Throws if PostgreSQL or EverShop
 * does not start. `onCleanup` gets functions that stop both.
 */
export async function openEverShop(
  demoShop: string,
  say: (line: string) => void,
  onCleanup: OnCleanup,
): Promise<Peer> {
  const { hostname, port, pathname, username, password } = new URL(
    (await openPostgresServer(onCleanup)).url,
  )
  const shopPort = await freePort()
  const secrets = [
    'JWT_ADMIN_SECRET',
    'JWT_ADMIN_REFRESH_SECRET',
    'JWT_CUSTOMER_SECRET',
    'JWT_CUSTOMER_REFRESH_SECRET',
  ]
  const env = {
    ...process.env,
    DB_HOST: hostname,
    DB_PORT: port,
    DB_NAME: pathname.slice(1),
    DB_USER: username,
    DB_PASSWORD: password,
    DB_SSLMODE: 'disable',
    PORT: String(shopPort),
    NODE_ENV: 'production',
    SUPPRESS_NO_CONFIG_WARNING: '1',
    ...Object.fromEntries(secrets.map((name) => [name, name.padEnd(40, 'x')])),
  }
  await install(env, say)
  const program = join(FOLDER, 'node_modules/.bin/evershop')
  const origin = `http://localhost:${shopPort}`
  const isOpen = () =>
    fetch(origin).then(
      ({ ok }) => ok,
      () => false,
    )
  const start = async () => {
    const begun = performance.now()
    // EverShop starts two more processes, which do not end with the first. So all get their own
    // process group.
    const child = spawn(process.execPath, [program, 'start'], {
      cwd: FOLDER,
      env,
      stdio: 'ignore',
      detached: true,
    })
    let hasEnded = false
    const ended = once(child, 'exit').then(() => void (hasEnded = true))
    const stop = async () => {
      if (!hasEnded) process.kill(-child.pid!, 'SIGKILL')
      await ended
    }
    onCleanup(stop)
    while (!(await isOpen())) {
      if (hasEnded || performance.now() - begun > 120_000) throw new Error('EverShop did not start')
      await pause(20)
    }
    return { startedIn: performance.now() - begun, memory: () => memoryOfGroup(child.pid!), stop }
  }
  const first = await start()
  const admin = ['--name', 'Admin', '--email', ADMIN.email, '--password', ADMIN.password]
  await run(process.execPath, [program, 'user:create', ...admin], { cwd: FOLDER, env })
  const paths = await fill(origin, demoShop, say)
  await first.stop()
  return { ...(await start()), origin, ...paths }
}

async function memoryOfGroup(group: number): Promise<number> {
  const { stdout } = await run('ps', ['-eo', 'pgid=,rss='])
  const rows = stdout.split('\n').map((line) => line.trim().split(/\s+/).map(Number))
  return rows.reduce((sum, [id, kilobytes]) => (id === group ? sum + kilobytes! * 1024 : sum), 0)
}

type Row = Record<'id' | 'name' | 'categoryId' | 'path', string> & { priceCents: number }

/**
 * Adds each category and item of the demo shop through EverShop's REST API. Returns the paths of a
 * category and an item.
 */
async function fill(
  origin: string,
  demoShop: string,
  say: (line: string) => void,
): Promise<Pick<Peer, 'category' | 'item'>> {
  say('filling EverShop')
  const post = async (
    path: string,
    body: unknown,
    token = '',
  ): Promise<Record<string, unknown>> => {
    const headers = {
      'content-type': 'application/json',
      ...(token && { authorization: `Bearer ${token}` }),
    }
    const response = await fetch(`${origin}/api/${path}`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    })
    const { data } = (await response.json()) as { data?: Record<string, unknown> }
    if (!data) throw new Error(`EverShop refused ${path}: ${response.status}`)
    return data
  }
  const token = String((await post('user/tokens', ADMIN)).accessToken)
  const db = new DatabaseSync(join(demoShop, 'shop.db'), { readOnly: true })
  const categories = db
    .prepare('select id, title as name from categories order by position')
    .all() as { id: string; name: string }[]
  const items = db
    .prepare(
      `select items.id, items.name, items."categoryId", items."priceCents", images.path from items
       join "itemImages" as first on first."itemId" = items.id join images on images.id = first."imageId"
       where items.state = 'listed' and first.position = (select min(position) from "itemImages" where "itemId" = items.id)
       order by items."createdAt" desc, items."tieRank", items.id`,
    )
    .all() as unknown as Row[]
  db.close()
  const visible = { status: 1, meta_title: 'Shop', description: [] }
  const ids = new Map<string, unknown>()
  for (const { id, name } of categories) {
    ids.set(
      id,
      (
        await post(
          'categories',
          { name, url_key: id, include_in_nav: 1, show_products: 1, ...visible },
          token,
        )
      ).category_id,
    )
  }
  for (const { id, name, categoryId, priceCents, path } of items) {
    const file = basename(path)
    await cp(join(demoShop, 'files', path), join(FOLDER, 'media', 'catalog', file))
    const stock = {
      qty: 10,
      weight: 1,
      manage_stock: 0,
      stock_availability: 1,
      no_shipping_required: true,
    }
    const product = {
      name,
      sku: id,
      url_key: id,
      price: priceCents / 100,
      category_id: ids.get(categoryId),
      images: [`/assets/catalog/${file}`],
    }
    await post('products', { ...product, ...stock, ...visible, visibility: 1, group_id: 1 }, token)
  }
  return { category: `/${items[0]!.categoryId}`, item: `/${items[0]!.categoryId}/${items[0]!.id}` }
}
