// npm start: brings what is missing, then opens the shop.
import { join } from 'node:path'
import { build } from './build.mjs'
import { install } from './install.mjs'
import { isNewEnough, node24 } from './node24.mjs'
import { environment, leaveWithNpm, root, run } from './run.mjs'

leaveWithNpm()
const bin = await node24()
await install(bin)
await build(bin)

if (isNewEnough(process.version)) {
  process.chdir(root)
  process.env.NODE_ENV = 'production'
  await import('../server/serve.ts')
} else {
  process.exitCode = await run(join(bin, 'node'), ['server/serve.ts'], environment(bin, { NODE_ENV: 'production' }))
}
