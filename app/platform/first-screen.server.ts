/**
 * What is not on the first screen waits: pictures below it for the first sign of a person, and what stands on it for the picture that the page
 * opens with. The browser's own laziness reaches two or three screens down, so that half a gallery is fetched for somebody who only reads its
 * first line; from that sign on it is left to do so. Without script it always does.
 */
import { signs } from './someone.ts'

/**
 * In the browser, while the page is being read: takes the addresses from lazy pictures, keeping their size, and gives them back. So it does with
 * the blurred ones, also where one stands for a colour: a gallery has fifty to decode. Those in sight come back with the first frame.
 *
 * `opened`: the picture that the page opens with is to be seen, or the page has none and has been painted. The browser tells of that, later than a
 * frame that was merely drawn up: what is fetched in between keeps it waiting. A picture that something larger stands beside is not told of, so
 * that it waits a moment at most. In a tab that nobody looks at nothing is painted.
 *
 * What the page has been given anew meanwhile, since the shop has changed, is left as it is.
 */
export const firstScreen = `(() => {
  const names = ['srcset', 'src']
  const waiting = new Set()
  const partsOf = (picture) => picture.parentNode?.localName === 'picture' ? [...picture.parentNode.children] : [picture]
  const firsts = () => [...document.querySelectorAll('img[fetchpriority=high]')]
  const first = () => Promise.allSettled(firsts().map((picture) => picture.decode()))
  const blur = ({ dataset, style }) => {
    if (dataset.blur && !style.backgroundImage) style.backgroundImage = dataset.blur
    delete dataset.blur
  }
  const near = new IntersectionObserver((seen) => { for (const { target, intersectionRatio } of seen) if (intersectionRatio > 0) {
    blur(target)
    first().then(() => give(target))
  } }, { rootMargin: '0px 0px 5%' })
  const take = (picture) => {
    for (const part of partsOf(picture)) for (const name of names) {
      const value = part.getAttribute(name)
      if (value !== null) part.dataset[name] = value
      part.removeAttribute(name)
    }
    picture.src = 'data:image/svg+xml,' + encodeURIComponent('<svg xmlns="http://www.w3.org/2000/svg" width="' + picture.getAttribute('width') + '" height="' + picture.getAttribute('height') + '"/>')
  }
  const give = (picture) => {
    if (!waiting.delete(picture)) return
    near.unobserve(picture)
    blur(picture)
    const isAsItWas = picture.src?.startsWith('data:image/svg')
    if (isAsItWas) picture.removeAttribute('src')
    for (const part of partsOf(picture)) for (const name of names) if (part.dataset[name] !== undefined) {
      if (isAsItWas && !part.hasAttribute(name)) part.setAttribute(name, part.dataset[name])
      delete part.dataset[name]
    }
  }
  const read = (records) => { for (const { addedNodes } of records) for (const node of addedNodes) {
    const isLazy = node.localName === 'img' && node.loading === 'lazy'
    const image = node.localName === 'img' && !isLazy ? '' : node.style?.backgroundImage
    if (isLazy) take(node)
    if (image) {
      node.dataset.blur = image
      node.style.backgroundImage = ''
    }
    if (!isLazy && !image) continue
    waiting.add(node)
    near.observe(node)
  } }
  const reader = new MutationObserver(read)
  reader.observe(document, { childList: true, subtree: true })
  window.opened = new Promise((done) => addEventListener('DOMContentLoaded', () => {
    read(reader.takeRecords())
    reader.disconnect()
    const [picture] = firsts()
    const type = 'largest-contentful-paint'
    const isTold = PerformanceObserver.supportedEntryTypes?.includes(type)
    if (isTold) new PerformanceObserver((list) => { if (!picture || list.getEntries().some(({ element }) => element === picture)) done() }).observe({ type, buffered: true })
    const painted = () => (document.hidden ? done() : requestAnimationFrame(() => setTimeout(done, isTold ? 200 : 0)))
    if (picture) picture.decode().then(painted, painted)
    else painted()
    setTimeout(done, 2000)
  }))
  const all = () => waiting.forEach(give)
  const some = () => {
    for (const picture of [...waiting].slice(0, 8)) give(picture)
    if (waiting.size > 0) setTimeout(some)
  }
  for (const name of ${JSON.stringify(signs)}) addEventListener(name, () => requestAnimationFrame(() => setTimeout(some)), { once: true, passive: true })
  addEventListener('beforeprint', all)
  document.currentScript.remove()
})()`.replaceAll(/\n\s*/g, '\n')
