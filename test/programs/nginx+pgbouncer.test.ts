import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, readFile, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { newId15 } from '#lib/text/ids.ts'
import { keepBusy, openMember, openPerson } from '#test/fixtures/many-processes.ts'
import { freePort } from '#test/fixtures/network.ts'
import { openPostgresServer } from '#test/fixtures/postgres-server.ts'
import { newDataDir } from '#test/fixtures/processes.ts'
import { sized } from '#test/fixtures/size.ts'

const ORIGIN = 'http://localhost:3999'

async function openProgram(program: string, args: string[], port: number) {
  const child = spawn(program, args, { stdio: ['ignore', 'inherit', 'inherit'] })
  const closed = once(child, 'close')
  onTestFinished(async () => {
    child.kill('SIGTERM')
    await closed
  })
  const isOpen = () => {
    const socket = connect(port, '127.0.0.1')
    return once(socket, 'connect').then(
      () => socket.destroy() !== undefined,
      () => false,
    )
  }
  await expect.poll(isOpen).toBe(true)
}

/** Starts PgBouncer in transaction mode in front of a PostgreSQL, and returns its URL. */
async function openPooler(url: string): Promise<string> {
  const { hostname, port, username, password, pathname } = new URL(url)
  const own = await freePort()
  const folder = await newDataDir()
  // PgBouncer refuses to run as root. If the test does, PgBouncer runs as `nobody`, who must be
  // able to read this folder.
  await chmod(folder, 0o755)
  const file = join(folder, 'pgbouncer.ini')
  const target = `host=${hostname} port=${port} user=${username} password=${password} dbname=${pathname.slice(1)}`
  const options = [
    'listen_addr = 127.0.0.1',
    `listen_port = ${own}`,
    'unix_socket_dir =',
    'auth_type = any',
    'pool_mode = transaction',
    'default_pool_size = 4',
  ]
  if (process.getuid?.() === 0) options.push('user = nobody')
  await writeFile(file, `[databases]\nshop = ${target}\n[pgbouncer]\n${options.join('\n')}\n`, {
    mode: 0o644,
  })
  await openProgram('pgbouncer', ['-q', file], own)
  return `postgres://shop:any@127.0.0.1:${own}/shop`
}

/**
 * Starts nginx with the deployed configuration in front of these ports, and returns its URL. The
 * rates are higher, because all requests come from one address.
 */
async function openNginx(ports: number[]): Promise<string> {
  const own = await freePort()
  const folder = await newDataDir()
  const file = join(folder, 'nginx.conf')
  const site = (await readFile('deploy/nginx.conf', 'utf8'))
    .replace(/^\s*ssl_.*\n/gm, '')
    .replace(/server \{\n\tlisten 80;[^}]*\}/, '')
    .replace(/^\s*listen \[::\].*\n/gm, '')
    .replace('443 ssl http2', `127.0.0.1:${own}`)
    .replace(
      'server 127.0.0.1:3000;',
      ports.map((port) => `server 127.0.0.1:${port} max_fails=0;`).join(' '),
    )
    .replace('rate=30r/s', 'rate=10000r/s')
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${folder};`)
    .join(' ')
  expect(site).not.toMatch(/ssl|listen 80|\[::\]|3000|30r\/s/)
  await writeFile(
    file,
    `daemon off; pid ${folder}/pid; error_log stderr crit; events {} http { ${paths}\n${site}\n}\n`,
  )
  await openProgram('nginx', ['-c', file], own)
  return `http://127.0.0.1:${own}`
}

test(
  'behind nginx, with PgBouncer in front of PostgreSQL, no acknowledged message is lost or stored twice while two processes are replaced under load [S-260]',
  { timeout: 600_000 },
  async () => {
    const server = await openPostgresServer(onTestFinished)
    const database = new pg.Client(server.url)
    await database.connect()
    onTestFinished(() => database.end())
    const pooled = await openPooler(server.url)
    const open = (port: number) =>
      openMember(pooled, ORIGIN, port, onTestFinished, {
        DATABASE_LISTEN_URL: server.url,
        DRAIN_SECONDS: '1',
      })
    const members = [await open(await freePort()), await open(await freePort())]
    await database.query(`insert into items (id, name, "categoryId", "priceCents", description, width, "soleType", size, "createdAt", "firstCreatedAt")
      values ('moon', 'Moon bag', 'bags', 90000, 'Soft', '', '', '', 0, 0)`)
    const address = await openNginx(members.map(({ port }) => port))
    const writers = [openPerson(ORIGIN, 2), openPerson(ORIGIN, 3), openPerson(ORIGIN, 4)]
    for (const [at, writer] of writers.entries()) {
      const form = { intent: 'register', email: `c${at}@mail.test`, password: 'a-good-password' }
      expect((await writer.post(address, '/login/', form)).status).toBe(302)
    }
    const load = keepBusy(ORIGIN, address, writers)
    const someMore = async () => {
      const before = load.acknowledged.length
      await expect.poll(() => load.acknowledged.length).toBeGreaterThan(before + 5)
    }
    const rounds = sized(1, 5)
    for (let round = 0; round < rounds; round++) {
      for (const [number, member] of members.entries()) {
        await someMore()
        expect(await member.stop()).toEqual({ code: 0, signal: null })
        members[number] = await open(member.port)
      }
    }
    await someMore()
    // A message that one process stores reaches a browser that nginx has connected to any process.
    const tab = await writers[0]!.listen(address)
    await writers[0]!.post(address, '/messages', {
      intent: 'send',
      message: 'Heard through both',
      messageId: newId15(),
    })
    await expect
      .poll(() => tab.changedTopics.some((topic) => topic.startsWith('order:')))
      .toBe(true)
    tab.close()
    await load.stop()
    console.log(
      `${load.acknowledged.length} messages, ${load.looks()} pages, ${load.refused.length} failed`,
    )
    // nginx does not repeat a POST. For each replacement, each writer may get one 502, if nginx
    // sends its request on a connection that the stopping process is closing.
    expect(load.refused.filter((failed) => failed !== 'a message: 502')).toEqual([])
    expect(load.refused.length).toBeLessThanOrEqual(writers.length * 2 * rounds)
    const { rows } = await database.query<{ id: string }>('select id from messages')
    const stored = Map.groupBy(rows, ({ id }) => id)
    expect(load.acknowledged.filter((id) => stored.get(id)?.length !== 1)).toEqual([])
    for (const { output } of members) {
      expect(output()).not.toMatch(/prepared statement|do not arrive/)
    }
  },
)
