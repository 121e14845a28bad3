import { AuditLogPage } from '#app/features/admin/audit-log/audit-log-page.tsx'
import { parseAuditLogSearch } from '#app/features/admin/audit-log/audit-log.ts'
import { readAuditLog } from '#app/features/admin/audit-log/audit-log.server.ts'
import { appContext } from '#app/services/context.ts'
import { auditLogTexts } from '#app/features/admin/audit-log/texts.ts'
import type { Route } from './+types/audit-log'

export const meta: Route.MetaFunction = () => [{ title: auditLogTexts.title }]

export const loader = ({ request, context }: Route.LoaderArgs) =>
  readAuditLog(context.get(appContext), parseAuditLogSearch(new URL(request.url).searchParams))

export default function History({ loaderData, matches }: Route.ComponentProps) {
  return (
    <AuditLogPage
      {...loaderData}
      timeZone={matches[0].loaderData.timeZone}
    />
  )
}
