// node scripts/cli.mjs <command>: runs a command of server/cli/index.ts, such as `npm run backup`
// (docs/deployment.md).
import { install } from './install.mjs'
import { node24 } from './node24.mjs'
import { environment, leaveWithNpm, run } from './run.mjs'

leaveWithNpm()
const bin = await node24()
await install(bin, { hasDev: false })
process.exitCode = await run(
  'node',
  ['server/cli/index.ts', ...process.argv.slice(2)],
  environment(bin, { NODE_ENV: 'production' }),
)
