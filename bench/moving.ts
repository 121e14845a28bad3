/** Moving a shop of 100,000 documents in and out by the very commands: how many a second, and how much memory at the most. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { finished } from 'node:stream/promises'
import type { Bench, WorkFigure } from './workshop.ts'

const root = new URL('..', import.meta.url).pathname
const DOCUMENTS = 100_000
const FEW = 10
const ADMIN = 'the-owner-there'

type Ran = { seconds: number; memory: number }

/** A tenth conversations of four messages, four tenths items, half sales, as the hosted database's tool writes them. */
function* documents(count: number): Generator<[string, string, object]> {
  const time = (index: number) => ({ __datatype__: 'timestamp', value: { _seconds: 1_700_000_000 + index, _nanoseconds: 0 } })
  yield ['category', 'walls', { id: 'walls', title: 'Walls', color: '#c98a5e', url: '' }]
  for (let index = 0; index < count * 0.4; index++) {
    const texts = { description: 'Knotted by hand, one of a kind. '.repeat(8), width: '40 cm', soleType: '', size: 'L' }
    yield [
      'items',
      `item-${index}`,
      { id: `item-${index}`, name: `Piece ${index}`, category: 'walls', price: 12.5, images: [], ...texts, createdAt: time(index) },
    ]
  }
  for (let index = 0; index < count * 0.1; index++) {
    const id = `uid-${index}`
    const messages = [0, 1, 2, 3].map((turn) => ({
      ...{ id: `m${turn}`, message: `Message ${turn} of ${index}`, createdAt: time(index + turn) },
      ...{ sender: turn % 2 ? ADMIN : id, read: [id, ADMIN] },
    }))
    const user = { id, name: `Person ${index}`, email: `person-${index}@example.com`, photoURL: '' }
    yield [
      'orders',
      id,
      { id, items: [{ id: 'item-1', name: 'Piece 1', price: 12.5 }], messages, user, isClosed: false, createdAt: time(index) },
    ]
  }
  for (let index = 0; index < count * 0.5; index++) {
    const buyer = { buyerid: `uid-${index % 9}`, buyerName: 'Person', buyerEmail: '', buyerPhotoURL: '' }
    yield [
      'sales',
      `sale-${index}`,
      { ...buyer, itemid: 'item-1', item: { name: 'Piece 1', price: 12.5 }, salePrice: 11, receiptTag: 'Ab3dE6gH', createdAt: time(index) },
    ]
  }
}

async function writeExport(path: string, count: number): Promise<void> {
  const file = createWriteStream(path)
  let open = ''
  file.write('{"__collections__":{')
  for (const [collection, id, fields] of documents(count)) {
    const begin = collection === open ? ',' : `${open && '},'}${JSON.stringify(collection)}:{`
    open = collection
    if (!file.write(`${begin}${JSON.stringify(id)}:${JSON.stringify(fields)}`)) await once(file, 'drain')
  }
  file.end('}}}')
  await finished(file)
}

/** The system keeps the most memory that a process ever had as long as it lives. */
async function run(program: string, args: string[], dataDir: string): Promise<Ran> {
  const begun = performance.now()
  const child = spawn(process.execPath, [`server/${program}.ts`, ...args], {
    cwd: root,
    env: { ...process.env, DATABASE_URL: '', FILES_URL: '', DATA_DIR: dataDir, NODE_ENV: 'production' },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  let memory = 0
  const look = setInterval(async () => {
    const status = await readFile(`/proc/${child.pid}/status`, 'utf8').catch(() => '')
    memory = Math.max(memory, Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) * 1024)
  }, 50)
  const [code] = await once(child, 'close')
  clearInterval(look)
  if (code !== 0) throw new Error(`npm run ${program} ended with ${code}`)
  return { seconds: (performance.now() - begun) / 1000, memory }
}

const megabytes = (bytes: number) => `${Math.round(bytes / 1e6)} MB`

export async function measureMoving({ folder, say }: Bench): Promise<WorkFigure[]> {
  const ran: Record<string, Ran> = {}
  for (const [name, count] of [
    ['few', FEW],
    ['many', DOCUMENTS],
  ] as const) {
    say(`moving a shop: ${count} documents in and out`)
    const path = join(folder, `${name}.json`)
    await writeExport(path, count)
    ran[`${name} in`] = await run('import', [path, '--admin-id', ADMIN], join(folder, `moved-${name}`))
    ran[`${name} out`] = await run('export', [join(folder, `out-${name}`)], join(folder, `moved-${name}`))
  }
  return ['in', 'out'].flatMap((way) => {
    const [many, few] = [ran[`many ${way}`]!, ran[`few ${way}`]!]
    const rate = Math.round((DOCUMENTS - FEW) / (many.seconds - few.seconds))
    const what = way === 'in' ? 'Firestore export in' : 'Firestore export out'
    return [
      {
        what: `${what}: ${DOCUMENTS.toLocaleString('en-US')} documents`,
        found: `${many.seconds.toFixed(1)} s, ${rate.toLocaleString('en-US')} a second`,
        beside: `${FEW} documents: ${few.seconds.toFixed(1)} s`,
        ratio: '–',
      },
      {
        what: `${what}: most memory`,
        found: megabytes(many.memory),
        beside: `${FEW} documents: ${megabytes(few.memory)}`,
        ratio: (many.memory / few.memory).toFixed(2),
      },
    ]
  })
}
