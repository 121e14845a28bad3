/** What the owner is told about her backups. */
import { countText, sizeText } from '#app/ui/amounts.ts'

export const IS_GONE = 'This backup is not there any more'
export const IS_MADE = 'The backup is made'
export const IS_BEGUN = 'The backup is being made'
export const FOLDER_IS_GONE = 'The folder of the backups cannot be read. Whoever runs the shop has to look after it.'
export const IS_DELETED = 'Backup deleted'

type Stored = readonly { size: number }[]
const sumText = (stored: Stored) => sizeText(stored.reduce((sum, { size }) => sum + size, 0))

/** How much room they take; `staying`: those that nothing but her own button takes away. */
export function roomText(all: Stored, staying: Stored): string {
  const together = `${countText(all.length, 'backup')}, ${sumText(all)} together.`
  if (staying.length === 0) return together
  const [they, stay, them] = staying.length === 1 ? ['It', 'stays', 'it'] : ['They', 'stay', 'them']
  const which = staying.length === all.length ? they : `${staying.length} of them (${sumText(staying)})`
  return `${together} ${which} ${stay} until you delete ${them}.`
}

/** They are no archives: only whoever runs the shop can do something with them. */
export const copiesText = ({ count, size }: { count: number; size: number }): string =>
  `${countText(count, 'copy', 'copies')} of the database from before upgrades ${count === 1 ? 'takes' : 'take'} ${sizeText(size)}; only the newest three stay.`

export const IS_WHOLE = ({ rows, files }: { rows: number; files: number }): string =>
  `All is well: ${countText(rows, 'row')} and ${countText(files, 'picture file')}, every checksum is right.`
