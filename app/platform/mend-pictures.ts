/** Pictures that did not come while the shop was away are asked for again when it is back: browsers leave them broken. Browser only. */
import { connection } from './connection.ts'

export function mendPictures(): void {
  connection.subscribe(() => {
    if (connection.isLost()) return
    for (const picture of document.images) {
      const isBroken = picture.complete && picture.currentSrc && picture.naturalWidth === 0
      if (isBroken) picture.setAttribute('src', picture.getAttribute('src') ?? '')
    }
  })
}
