/** npm run export -- <folder>: the whole shop as a Firestore export with its pictures; the shop may be open meanwhile. */
import { exportShop } from '../app/features/moving/export-shop.server.ts'
import { readArguments, runCommand, typedPath } from './command.ts'
import { openShop } from './open-shop.ts'

const usage = `npm run export -- <folder>

Writes export.json (the documents, in the shape that Firestore's tools read) and files/ (the pictures) into a new or empty folder.
The shop is the one of DATA_DIR and DATABASE_URL, as for npm start, and may be open. Passwords are not in it; for a whole copy see
docs/operating.md, "Backup".`

const { values, positionals } = readArguments(usage, { allowPositionals: true, options: { help: { type: 'boolean', default: false } } })

await runCommand(async (env) => {
  const path = positionals[0]
  if (values.help || path === undefined || positionals.length > 1) {
    console.log(usage)
    return values.help ? 0 : 1
  }
  const folder = typedPath(path)
  const { shop, close } = await openShop(env, (line) => console.log(line), { isServed: false })
  try {
    const done = await exportShop(shop, folder)
    if (!done.ok) {
      console.error(`${folder} is not empty. Name a new folder; nothing was written.`)
      return 1
    }
    for (const [collection, count] of Object.entries(done.counts)) console.log(`  ${collection.padEnd(10)} ${String(count).padStart(7)}`)
    console.log(`  ${'pictures'.padEnd(10)} ${String(done.pictures).padStart(7)}`)
    for (const missing of done.missing) console.error(`The file of the picture ${missing} is missing; its document is there.`)
    console.log(`\nThe shop is in ${folder}.`)
    return 0
  } finally {
    await close()
  }
})
