import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { newFolder } from '#test/moving-shops.ts'
import { openReport } from './report.server.ts'
import { readExport } from './read-export.server.ts'

async function read(path: string) {
  const report = openReport(null)
  const { documents: all } = await readExport(path, report.add)
  const documents = Object.entries(all).flatMap(([collection, documents]) => [...documents].map(([id, fields]) => [collection, id, fields]))
  return { documents, findings: report.lines() }
}
async function readText(text: string) {
  const path = join(await newFolder(), 'export.json')
  await writeFile(path, text)
  return read(path)
}

test('an export is read as node-firestore-import-export writes it, as maps by id, as lists, and with a mark at its start', async () => {
  const nested = await readText('{"__collections__":{"items":{"a":{"name":"x","__collections__":{}}},"colors":{}}}')
  expect(nested).toEqual({ documents: [['items', 'a', { name: 'x', __collections__: {} }]], findings: [] })
  expect((await readText('\ufeff{"items":{"a":{"name":"x"}}}')).documents).toEqual([['items', 'a', { name: 'x' }]])
  expect((await readText('{"items":[{"id":"a"}],"sales":[{"id":7}]}')).documents).toEqual([
    ['items', 'a', { id: 'a' }],
    ['sales', '7', { id: 7 }],
  ])
})

test('a folder with a file for each collection is read, whatever form each file has', async () => {
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

test('what is no document, what stands twice, and what this shop does not know is told, never passed over', async () => {
  const { documents, findings } = await readText(
    '{"items":{"a":{},"a":{"again":true},"b":3,"":{}},"colors":[{},{"id":"c","__collections__":{"deep":{}}}],"drafts":{"d":{}},"version":2}',
  )
  expect(documents.map((document) => document[1])).toEqual(['c', 'a'])
  expect(findings).toEqual([
    'items/b: 3 is no document; not taken',
    'items/?: a document without an id of its own; not taken',
    'colors/?: a document without an id of its own; not taken',
    'colors/c: holds collections of its own (["deep"]); they were not taken',
    'drafts/d: a collection that this shop does not know; not taken',
    'version: 2 is no collection; not taken',
  ])
})

test('of two documents of a list with one id the first is taken, and the second is told', async () => {
  const { documents, findings } = await readText('{"items":[{"id":"a","name":"first"},{"id":"a"}]}')
  expect(documents).toEqual([['items', 'a', { id: 'a', name: 'first' }]])
  expect(findings).toEqual(['items/a: stands twice in the export; not taken'])
})

test('a file that is cut off, empty or no JSON, and a folder without any is refused with words', async () => {
  for (const text of ['', '{', '{"items":{"a":{"na', '{"items":{"a":{}}', '[]', 'hello', '{} {}', '3', '{"items":{}}x'])
    await expect(readText(text), text).rejects.toThrow(/is no whole JSON file/)
  const folder = await newFolder()
  await expect(read(folder)).rejects.toThrow(/holds no file for a collection/)
  await expect(read(join(folder, 'nothing.json'))).rejects.toThrow(/There is no/)
  await mkdir(join(folder, 'managed'))
  await writeFile(join(folder, 'managed', 'managed.overall_export_metadata'), '')
  await expect(read(join(folder, 'managed'))).rejects.toThrow(/managed export/)
})
