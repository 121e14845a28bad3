/** Lighthouse's audit of all public pages, or of some, for the document. */
import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import { openTicket } from '../test/e2e/open-ticket.ts'
import type { Area } from './areas.ts'
import { auditCheck, paceCheck } from './budgets.ts'
import { paintGoals } from './goals.ts'
import { auditPages } from './lighthouse.ts'
import { publicPages } from './public-pages.ts'
import { auditsTable, checksTable } from './report.ts'
import { serveShop } from './served-shop.ts'

export const lighthouseArea: Area = {
  document: 'performance',
  async measure({ folder, demoShop, say, pages: asked }) {
    const dataDir = join(folder, 'lighthouse')
    await cp(demoShop, dataDir, { recursive: true })
    const ticket = await openTicket(dataDir)
    const shop = await serveShop(dataDir)
    try {
      const isAsked = ({ path }: { path: string }) =>
        !asked || asked.some((start) => (start.endsWith('*') ? path.startsWith(start.slice(0, -1)) : path === start))
      const audits = await auditPages(shop.origin, (await publicPages(shop.origin, ticket.id)).filter(isAsked), say)
      const checks = [auditCheck(audits), paceCheck(audits), ...paintGoals(audits)]
      return { text: `${about}\n\n${auditsTable(audits)}\n\n${checksTable(checks)}`, checks }
    } finally {
      await shop.stop()
    }
  },
}

const about = `## Lighthouse

Each public page as a visitor's phone opens it for the first time: Lighthouse's own settings (a slow fourth-generation network, a processor four times
slower), simulated from what it saw in headless Chromium on this machine (\`npm run bench -- --only lighthouse\`). Where performance is below 99, the
middle one of three runs. LCP: when the largest part of the first screen stands; CLS: how much moves afterwards; TBT: how long scripts keep a finger
waiting. (1): kept from search engines on purpose; the audit whether these may list the page is left out.`
