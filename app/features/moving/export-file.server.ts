/** Reads the files of an export, whichever tool wrote them, document by document (the forms are listed in docs/operating.md). */
import { lstat, readdir, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import Assembler from 'stream-json/assembler.js'
import { parseFile } from 'stream-json/file/parser.js'
import { isCollection, shown, type Collection, type Fields, type Finding } from './moving.ts'

/** `file` is the command's words: what it cannot read at all, it says and ends. */
export class UnreadableExport extends Error {}

type Taken = { add: (collection: Collection, id: string, fields: Fields) => boolean; find: (finding: Finding) => void }
type Place = { kind: 'collections' } | { kind: 'collection'; name: string }

const ROOT = '__collections__'
export const OWN_FILE = 'export.json'

/** The JSON files of an export: one file, a folder that this shop wrote, or a folder with a file for each collection. */
async function filesOf(path: string): Promise<{ path: string; place: Place }[]> {
  const found = await stat(path).catch(() => {
    throw new UnreadableExport(`There is no ${path}.`)
  })
  if (!found.isDirectory()) return [{ path, place: { kind: 'collections' } }]
  const names = (await readdir(path)).filter((name) => name.endsWith('.json') && !name.startsWith('.')).toSorted()
  if (names.includes(OWN_FILE)) return [{ path: join(path, OWN_FILE), place: { kind: 'collections' } }]
  const own = names.filter((name) => isCollection(basename(name, '.json')))
  if (own.length > 0) return own.map((name) => ({ path: join(path, name), place: { kind: 'collection', name: basename(name, '.json') } }))
  const isManaged = (await readdir(path)).some((name) => name.endsWith('.overall_export_metadata'))
  const hint = isManaged ? ' It is a managed export of the hosted database, which is no JSON: docs/operating.md says how to get one.' : ''
  throw new UnreadableExport(`${path} holds neither ${OWN_FILE} nor a file for a collection (items.json, colors.json, …).${hint}`)
}

/** A folder `files` beside our own export.json is the copy of the pictures. */
export async function picturesBeside(path: string): Promise<string | null> {
  const folder = join(path, 'files')
  const isThere = await lstat(folder).then(
    (found) => found.isDirectory(),
    () => false,
  )
  return isThere ? folder : null
}

export async function readExport(path: string, taken: Taken): Promise<void> {
  for (const file of await filesOf(path))
    await readFile(file.path, file.place, taken).catch((error: unknown) => {
      if (error instanceof Error && /^Parser /.test(error.message))
        throw new UnreadableExport(`${file.path} is no whole JSON file (${error.message}).`)
      throw error
    })
}

type Level = { place: Place; isList: boolean; key: string }

/** Walks down to the documents; only one document is in memory at a time. */
async function readFile(path: string, start: Place, taken: Taken): Promise<void> {
  const levels: Level[] = []
  let assembler: Assembler | null = null
  let isBegun = false
  for await (const token of parseFile({ streamValues: false })(path)) {
    if (assembler) {
      assembler.consume(token)
      if (!assembler.done) continue
      takeValue(levels.at(-1)!, assembler.current, taken)
      assembler = null
      continue
    }
    const level = levels.at(-1)
    if (token.name === 'keyValue') level!.key = token.value
    else if (token.name === 'endObject' || token.name === 'endArray') levels.pop()
    else if (!level) {
      if (isBegun || !token.name.startsWith('start') || (token.name === 'startArray' && start.kind === 'collections')) throw noExport(path)
      isBegun = true
      levels.push({ place: start, isList: token.name === 'startArray', key: '' })
    } else {
      const below = placeBelow(level)
      if (below && token.name.startsWith('start')) levels.push({ place: below, isList: token.name === 'startArray', key: '' })
      else if (token.name.startsWith('start')) assembler = new Assembler().consume(token)
      else takeValue(level, 'value' in token ? (token.name === 'numberValue' ? Number(token.value) : token.value) : null, taken)
    }
  }
  if (!isBegun || levels.length > 0 || assembler) throw noExport(path)
}

const noExport = (path: string) => new UnreadableExport(`${path} is no whole JSON file of collections.`)

/** Where a value of this level is no document but holds some. */
function placeBelow({ place, key, isList }: Level): Place | null {
  if (key === ROOT && !isList) return { kind: 'collections' }
  return place.kind === 'collections' ? { kind: 'collection', name: key } : null
}

const isMap = (value: unknown): value is Fields => typeof value === 'object' && value !== null && !Array.isArray(value)

/** The hosted database allows twenty levels; thousands would exhaust whoever writes or reads them. */
const DEEPEST = 100

function isTooDeep(value: unknown): boolean {
  let level = [value]
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > DEEPEST) return true
    level = level.flatMap((one) => (typeof one === 'object' && one !== null ? Object.values(one) : []))
  }
  return false
}

function takeValue({ place, isList, key }: Level, value: unknown, { add, find }: Taken): void {
  if (isTooDeep(value)) {
    find({ where: place.kind === 'collection' ? `${place.name}/${key}` : key, field: '', what: 'is nested too deeply', done: 'not taken' })
    return
  }
  if (place.kind === 'collections') {
    find({ where: key, field: '', what: `${shown(value)} is no collection`, done: 'not taken' })
    return
  }
  const written = isMap(value) ? (value.id ?? value.uid) : undefined
  const id = (isList ? (typeof written === 'string' || typeof written === 'number' ? String(written) : '') : key)
    .replaceAll('\0', '')
    .toWellFormed()
  const where = `${place.name}/${id || '?'}`
  const refuse = (what: string) => find({ where, field: '', what, done: 'not taken' })
  if (!isCollection(place.name)) return refuse('a collection that this shop does not know')
  if (!isMap(value)) return refuse(`${shown(value)} is no document`)
  // An address that ends with dots is another one.
  if (id === '' || id === '.' || id === '..' || id.length > 500) return refuse('a document without an id of its own')
  const below = isMap(value.__collections__) ? Object.keys(value.__collections__) : []
  if (below.length > 0) find({ where, field: '', what: `holds collections of its own (${shown(below)})`, done: 'they were not taken' })
  if (!add(place.name, id, value)) refuse('stands twice in the export')
}
