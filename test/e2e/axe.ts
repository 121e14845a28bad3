/** Axe as all journeys use it. Our pages hold no frames, which is what its other mode is for, and only violations are read: a third of the time. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright-core'
import { isFull } from '../size.ts'

const program = readFileSync(
  createRequire(createRequire(import.meta.url).resolve('@axe-core/playwright')).resolve('axe-core/axe.min.js'),
  'utf8',
)

/** Every fade at its end: half-way through, a text has the contrast of neither look. */
const settled = `new Promise((next) => requestAnimationFrame(() => requestAnimationFrame(next))).then(() =>
  Promise.allSettled(document.getAnimations().filter((one) => one.effect.getTiming().iterations !== Infinity).map((one) => one.finished)))
  .then(() => null)`

/** Its program is long and comes once for each page that is loaded, where the builder would send it twice for each look. */
class Axe extends AxeBuilder {
  readonly #page: Page
  constructor(page: Page) {
    super({ page, axeSource: 'null' })
    this.#page = page
  }
  override async analyze() {
    if (!(await this.#page.evaluate("'axe' in window"))) await this.#page.evaluate(program)
    await this.#page.evaluate(settled)
    return super.analyze()
  }
}

export const axe = (page: Page) => new Axe(page).options({ resultTypes: ['violations'] }).setLegacyMode()

/** What the other theme can change: the rest of a page is the same in both, and is read once. */
export const rulesOfColors = ['color-contrast', 'link-in-text-block']

/** After a look at the same thing in the other theme. */
export const axeInLight = (page: Page) => (isFull ? axe(page) : axe(page).withRules(rulesOfColors))
