// npm run export -- <folder>: writes the whole shop as a Firestore export, with its pictures (docs/operating.md, Moving away).
import { install } from './install.mjs'
import { node24 } from './node24.mjs'
import { environment, leaveWithNpm, run } from './run.mjs'

leaveWithNpm()
const bin = await node24()
await install(bin)
process.exitCode = await run('node', ['server/export.ts', ...process.argv.slice(2)], environment(bin, { NODE_ENV: 'production' }))
