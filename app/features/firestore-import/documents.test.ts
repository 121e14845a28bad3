import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { newFolder } from '#test/fixtures/data-folders.ts'
import { parseCents, parseTime, FieldReader } from './documents.ts'
import { readExport } from './read-export.server.ts'
import { createReport } from './report.server.ts'

test('the Firestore import converts dollars to cents, rounded half up, and refuses other values [DATA-042, S-065]', () => {
  for (const [value, cents] of [
    [12.5, 1250],
    [48, 4800],
    [0.1 + 0.2, 30],
    [7.005, 701],
    [1.005, 101],
    [8.345, 835],
    ['12.50', 1250],
    ['12,50', 1250],
    ['$ 12', 1200],
    ['7.0051', 701],
    ['-5', -500],
    [-5, -500],
    [1e-7, 0],
  ] as const) {
    expect(parseCents(value), String(value)).toBe(cents)
  }
  for (const none of [
    '',
    ' ',
    'NaN',
    'free',
    null,
    undefined,
    {},
    [],
    true,
    Number.NaN,
    Number.POSITIVE_INFINITY,
    1e9,
    '1e300',
    '1e2',
    '0x10',
    '1.234',
    '1,234',
  ]) {
    expect(parseCents(none), String(none)).toBeNull()
  }
})

test('the Firestore import reads a value from any of its possible fields, and reports unusual and unknown fields [S-128]', () => {
  const notes: string[] = []
  const fields = new FieldReader(
    { name: 3, flag: 'yes', ids: ['a', 3], text: 'a\0b\ud800\u202e', extra: [1], missing: null },
    (field, what, done) => void notes.push(`${field}: ${what}; ${done}`),
    'user.',
  )
  expect(fields.text('name')).toBe('3')
  expect(fields.flag('flag', false)).toBe(true)
  expect(fields.ids('ids')).toEqual(['a'])
  expect(fields.text('text')).toBe('ab\ufffd')
  expect(fields.text('missing', '')).toBe('')
  fields.end()
  expect(notes).toEqual([
    'user.name: 3 is not text; read as "3"',
    'user.flag: "yes" is neither true nor false; read as true',
    'user.ids[1]: 3 is not an id; not imported',
    'user.text: contains invisible control characters; they were removed',
    'user.missing: missing; left empty',
    'user.extra: [1] is a field that this shop does not know; not imported',
  ])
})

const AT = Date.UTC(2025, 11, 30, 10, 0, 0, 123)
const seconds = Math.floor(AT / 1000)

test('the Firestore import reads times in every format that the hosted database exports [DATA-089, DATA-051]', () => {
  const forms = [
    { __datatype__: 'timestamp', value: { _seconds: seconds, _nanoseconds: 123_456_789 } },
    { _seconds: seconds, _nanoseconds: 123_000_000 },
    { seconds, nanoseconds: 123_000_000 },
    { seconds: String(seconds), nanos: 123_000_000 },
    { __time__: '2025-12-30T10:00:00.123456Z' },
    { timestampValue: '2025-12-30T10:00:00.123Z' },
    '2025-12-30T10:00:00.123Z',
    '2025-12-30T11:00:00.123+01:00',
    AT,
  ]
  for (const form of forms) expect(parseTime(form), JSON.stringify(form)).toBe(AT)
})

test('the Firestore import reads a small number as seconds, and reports it', () => {
  const notes: string[] = []
  const fields = new FieldReader({ createdAt: seconds }, (field, what, done) =>
    notes.push(`${field}: ${what}; ${done}`),
  )
  expect(fields.time('createdAt', 0, '')).toBe(seconds * 1000)
  expect(notes).toEqual([
    `createdAt: ${seconds} is a number of seconds; read as 2025-12-30T10:00:00.000Z`,
  ])
})

test('the Firestore import refuses values that are not valid times', () => {
  const words = ['', 'soon', 'March 4, 2026', '9'.repeat(16)]
  const objects = [{}, [], { seconds: 'x' }, { seconds: {} }, { _seconds: 1e300 }]
  for (const none of [null, undefined, true, Number.NaN, 1e300, ...words, ...objects]) {
    expect(parseTime(none), JSON.stringify(none)).toBeNull()
  }
})

async function read(path: string) {
  const report = createReport(null)
  const { documents: all } = await readExport(path, report.add)
  const documents = Object.entries(all).flatMap(([collection, documents]) =>
    [...documents].map(([id, fields]) => [collection, id, fields]),
  )
  return { documents, findings: report.lines() }
}
async function readText(text: string) {
  const path = join(await newFolder(), 'export.json')
  await writeFile(path, text)
  return read(path)
}

test('the Firestore import reads nested collections, maps by id, lists, and files with a byte order mark', async () => {
  const nested = await readText(
    '{"__collections__":{"items":{"a":{"name":"x","__collections__":{}}},"colors":{}}}',
  )
  expect(nested).toEqual({
    documents: [['items', 'a', { name: 'x', __collections__: {} }]],
    findings: [],
  })
  expect((await readText('\ufeff{"items":{"a":{"name":"x"}}}')).documents).toEqual([
    ['items', 'a', { name: 'x' }],
  ])
  expect((await readText('{"items":[{"id":"a"}],"sales":[{"id":7}]}')).documents).toEqual([
    ['items', 'a', { id: 'a' }],
    ['sales', '7', { id: 7 }],
  ])
})

test('the Firestore import reads a folder with one JSON file per collection in any of three formats', async () => {
  const folder = await newFolder()
  await writeFile(join(folder, 'items.json'), '{"a":{"name":"x"}}')
  await writeFile(join(folder, 'colors.json'), '[{"id":"teal"}]')
  await writeFile(join(folder, 'sales.json'), '{"__collections__":{"sales":{"s":{}}}}')
  await writeFile(join(folder, 'other.json'), '{"b":{}}')
  expect((await read(folder)).documents).toEqual([
    ['colors', 'teal', { id: 'teal' }],
    ['items', 'a', { name: 'x' }],
    ['sales', 's', {}],
  ])
})

test('the Firestore import reports entries that are not documents, duplicate ids and unknown collections', async () => {
  const { documents, findings } = await readText(
    '{"items":{"a":{},"a":{"again":true},"b":3,"":{}},"colors":[{},{"id":"c","__collections__":{"deep":{}}}],"drafts":{"d":{}},"version":2}',
  )
  expect(documents.map((document) => document[1])).toEqual(['c', 'a'])
  expect(findings).toEqual([
    'items/b: 3 is not a document; not imported',
    'items/?: a document without an id of its own; not imported',
    'colors/?: a document without an id of its own; not imported',
    'colors/c: contains collections (["deep"]); they were not imported',
    'drafts/d: a collection that this shop does not know; not imported',
    'version: 2 is not a collection; not imported',
  ])
})

test('the Firestore import refuses a truncated, empty or non-JSON file, and a folder without JSON files', async () => {
  for (const text of [
    '',
    '{',
    '{"items":{"a":{"na',
    '{"items":{"a":{}}',
    '[]',
    'hello',
    '{} {}',
    '3',
    '{"items":{}}x',
  ]) {
    await expect(readText(text), text).rejects.toThrow(/is not a complete JSON file/)
  }
  const folder = await newFolder()
  await expect(read(folder)).rejects.toThrow(/holds no file for a collection/)
  await expect(read(join(folder, 'nothing.json'))).rejects.toThrow(/There is no/)
  await mkdir(join(folder, 'managed'))
  await writeFile(join(folder, 'managed', 'managed.overall_export_metadata'), '')
  await expect(read(join(folder, 'managed'))).rejects.toThrow(/managed export/)
})
