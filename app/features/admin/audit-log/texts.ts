/** The texts of the "History" page. The sentences about the events are in audit-log.ts. */

export const auditLogTexts = {
  title: 'History',
  name: 'Name',
  kind: 'Kind',
  everything: 'Everything',
  search: 'Search',
  noneFound: 'Nothing found.',
  none: 'No events yet.',
  pages: 'Pages of the history',
  newest: 'Newest',
  older: 'Older',
  from: 'from ',
  to: ' to ',
  undo: 'Undo',
  undoLabel: (event: string) => `Undo: ${event}`,
}
