import { storableText } from '#lib/text/storable-text.ts'
import { createHash } from 'node:crypto'
import { readdir, readFile, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { type ImportedAccount, cleanText, toAccount } from './accounts.ts'
import {
  type Documents,
  type Fields,
  type ReportIssue,
  collections,
  isCollection,
  isMap,
  parseTime,
  reportValue,
  toText,
} from './documents.ts'

export class UnreadableExportError extends Error {}

const ROOT = '__collections__'

export async function readExport(path: string, report: ReportIssue) {
  const documents = Object.fromEntries(collections.map((name) => [name, new Map()])) as Documents
  const hash = createHash('sha256')
  for (const file of await listFiles(path)) {
    const text = await readFile(file.path, 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (!/TOO_LONG|TOO_LARGE/.test(error.code ?? '')) throw error
      throw new UnreadableExportError(
        `${file.path} is larger than 512 MB. Export it with one file for each collection.`,
      )
    })
    hash.update(text)
    const value = parse(text)
    if (isMap(value) && (ROOT in value || file.collection === null)) {
      const { [ROOT]: below, ...rest } = value
      takeCollections({ ...rest, ...(isMap(below) ? below : {}) }, documents, report)
    } else if (file.collection !== null && typeof value === 'object' && value !== null) {
      takeCollection(file.collection, value, documents, report)
    } else {
      throw new UnreadableExportError(`${file.path} is not a complete JSON file of collections.`)
    }
  }
  return { documents, digest: hash.digest('hex') }
}

export async function readAccounts(path: string, now: number): Promise<ImportedAccount[]> {
  const json = await readFile(path, 'utf8').catch(() => {
    throw new UnreadableExportError(
      `The file ${path} does not exist. --accounts is the file that "firebase auth:export" wrote.`,
    )
  })
  const file = parse(json)
  if (!isMap(file) || !Array.isArray(file.users)) {
    throw new UnreadableExportError(
      `${path} is not what "firebase auth:export accounts.json" writes.`,
    )
  }
  return file.users.filter(isMap).flatMap((user) => {
    if (typeof user.localId !== 'string' || !user.email) return []
    const texts = [user.displayName, user.email, user.photoUrl].map(cleanText)
    return [
      toAccount(
        storableText(user.localId),
        texts,
        parseTime(Number(toText(user.createdAt))) ?? now,
        user.emailVerified === true,
      ),
    ]
  })
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\ufeff/, ''))
  } catch {
    return undefined
  }
}

async function listFiles(path: string): Promise<{ path: string; collection: string | null }[]> {
  const entry = await stat(path).catch(() => {
    throw new UnreadableExportError(`There is no ${path}.`)
  })
  if (!entry.isDirectory()) return [{ path, collection: null }]
  const names = (await readdir(path)).toSorted()
  const files = names
    .filter((name) => name.endsWith('.json') && isCollection(basename(name, '.json')))
    .map((name) => ({ path: join(path, name), collection: basename(name, '.json') }))
  if (files.length > 0) return files
  const isManaged = names.some((name) => name.endsWith('.overall_export_metadata'))
  const hint = isManaged
    ? ' It is a managed export of the hosted database, which is no JSON: docs/deployment.md says how to get one.'
    : ''
  throw new UnreadableExportError(
    `${path} holds no file for a collection (items.json, colors.json, …).${hint}`,
  )
}

function takeCollections(all: Fields, documents: Documents, report: ReportIssue) {
  for (const [name, content] of Object.entries(all)) {
    if (typeof content === 'object' && content !== null) {
      takeCollection(name, content, documents, report)
    } else {
      report({
        where: name,
        field: '',
        what: `${reportValue(content)} is not a collection`,
        done: 'not imported',
      })
    }
  }
}

function takeCollection(name: string, content: object, documents: Documents, report: ReportIssue) {
  const entries: [unknown, unknown][] = Array.isArray(content)
    ? content.map((document: unknown) => [
        isMap(document) ? (document.id ?? document.uid) : undefined,
        document,
      ])
    : Object.entries(content)
  for (const [key, fields] of entries) {
    const id = typeof key === 'string' || typeof key === 'number' ? storableText(String(key)) : ''
    const where = `${name}/${id || '?'}`
    const refuse = (what: string, done = 'not imported') => report({ where, field: '', what, done })
    if (isTooDeep(fields)) refuse('is nested too deeply')
    else if (!isCollection(name)) refuse('a collection that this shop does not know')
    else if (!isMap(fields)) refuse(`${reportValue(fields)} is not a document`)
    // Browsers resolve "." and ".." in the path of a URL.
    else if (id === '' || id === '.' || id === '..' || id.length > 500) {
      refuse('a document without an id of its own')
    } else if (documents[name].has(id)) refuse('stands twice in the export')
    else {
      const below = isMap(fields[ROOT]) ? Object.keys(fields[ROOT]) : []
      if (below.length > 0) {
        refuse(`contains collections (${reportValue(below)})`, 'they were not imported')
      }
      documents[name].set(id, fields)
    }
  }
}

/** Firestore allows twenty levels. Thousands of levels would exhaust the stack. */
const MAX_DEPTH = 100

function isTooDeep(value: unknown) {
  let level = [value]
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MAX_DEPTH) return true
    level = level.flatMap((node) =>
      typeof node === 'object' && node !== null ? Object.values(node) : [],
    )
  }
  return false
}
