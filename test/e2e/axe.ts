/** Axe as all journeys use it. Our pages hold no frames, which is what its other mode is for, and only violations are read: a third of the time. */
import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright-core'

export const axe = (page: Page) => new AxeBuilder({ page }).options({ resultTypes: ['violations'] }).setLegacyMode()
