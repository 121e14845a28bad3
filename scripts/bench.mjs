import { build } from './build.mjs'
import { install } from './install.mjs'
import { node24 } from './node24.mjs'
import { environment, leaveWithNpm, run } from './run.mjs'

leaveWithNpm()
const bin = await node24()
await install(bin)
await build(bin)
process.exitCode = await run(
  'node',
  ['bench/bench.ts', ...process.argv.slice(2)],
  environment(bin, { NODE_ENV: 'production' }),
)
