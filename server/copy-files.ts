/** The program behind `npm run copy-files`; the shop may stay open meanwhile. */
import { join } from 'node:path'
import { copyFiles } from '../app/platform/copy-files.server.ts'
import { readEnv } from '../app/platform/env.server.ts'
import { diskFiles } from '../app/platform/files.server.ts'
import { openStorage } from './open-files.ts'

try {
  const { dataDir, filesUrl } = readEnv(process.env)
  if (!filesUrl) throw new Error('FILES_URL must name the storage, as it does when the shop is started')
  const disk = diskFiles(join(dataDir, 'files'))
  const storage = await openStorage(filesUrl)
  const { copied, there } = process.argv.includes('--back') ? await copyFiles(storage, disk) : await copyFiles(disk, storage)
  console.log(`${copied} copied, ${there} were there already.`)
} catch (error) {
  console.error(`The pictures cannot be copied: ${(error as Error).message}`)
  process.exitCode = 1
}
