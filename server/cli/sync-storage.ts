import { join } from 'node:path'
import { copyFiles, createDiskStorage } from '#lib/storage/storage.server.ts'
import { openStorage } from '../open-storage.ts'
import { fail, type Command } from './command.ts'

export const command: Command = {
  usage: `STORAGE_URL=… npm run sync-storage              copy pictures from the data folder to the storage
STORAGE_URL=… npm run sync-storage -- --back    copy pictures from the storage to the data folder`,
  options: { back: { type: 'boolean' } },
  async run({ dataDir, filesUrl }, { back }, positionals) {
    if (positionals.length > 0) return null
    try {
      if (!filesUrl) throw new Error('STORAGE_URL is not set')
      const disk = createDiskStorage(join(dataDir, 'files'))
      const storage = await openStorage(filesUrl)
      const { copied, existing } = back
        ? await copyFiles(storage, disk)
        : await copyFiles(disk, storage)
      console.log(`${copied} copied, ${existing} already there.`)
      return 0
    } catch (error) {
      return fail(`The pictures cannot be copied: ${(error as Error).message}`)
    }
  },
}
