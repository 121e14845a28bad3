// The door to the drawing program: every picture of the demo shop from its record, always the same bytes for the same record.
import type { DemoItem } from '../record.ts'
import { paint } from './picture.ts'
import { itemPicture } from './view.ts'

export function drawItemPicture(item: DemoItem, pictureIndex: number): Promise<Buffer> {
  return paint(itemPicture(item, pictureIndex))
}
