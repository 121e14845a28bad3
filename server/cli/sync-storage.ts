import { join } from 'node:path'
import { copyFiles } from '../../app/platform/files.server.ts'
import { diskFiles } from '../../app/platform/files.server.ts'
import { openStorage } from '../open-files.ts'
import type { Command } from './command.ts'

export const command: Command = {
  usage: `FILES_URL=… npm run copy-files              from the data folder into the storage
FILES_URL=… npm run copy-files -- --back    and back`,
  options: { back: { type: 'boolean' } },
  async run({ dataDir, filesUrl }, { back }) {
    try {
      if (!filesUrl) throw new Error('FILES_URL must name the storage, as it does when the shop is started')
      const disk = diskFiles(join(dataDir, 'files'))
      const storage = await openStorage(filesUrl)
      const { copied, there } = back ? await copyFiles(storage, disk) : await copyFiles(disk, storage)
      console.log(`${copied} copied, ${there} were there already.`)
      return 0
    } catch (error) {
      console.error(`The pictures cannot be copied: ${(error as Error).message}`)
      return 1
    }
  },
}
