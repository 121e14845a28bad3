// npm run move -- --to postgres://…: every row into another database (docs/operating.md, PostgreSQL).
import { install } from './install.mjs'
import { node24 } from './node24.mjs'
import { environment, leaveWithNpm, run } from './run.mjs'

leaveWithNpm()
const bin = await node24()
await install(bin)
process.exitCode = await run('node', ['server/move.ts', ...process.argv.slice(2)], environment(bin, { NODE_ENV: 'production' }))
