import { redirectDocument } from 'react-router'
import { deleteItemDrafts } from '#item-editor/item-drafts.ts'
import { deleteOfflineData } from '#market-stall/offline-copy.ts'
import { deleteDrafts, deleteStoredDrafts } from '#client/drafts.ts'

/** The next person who uses this browser must find no data of the previous person. [S-486] */
const clearBrowser = () => Promise.allSettled([deleteItemDrafts(), deleteOfflineData()])

/** Loads a new document, because the old document keeps the data of its pages. */
export async function leaveDocument() {
  deleteStoredDrafts()
  await clearBrowser()
  location.reload()
}

/**
 * `response` is the redirect that ended the session. Other tabs delete their drafts, learn of the
 * end of the session (WebSocket code 4001, or the channel 'user'), and load again.
 */
export async function redirectAfterLogout(response: Response) {
  deleteDrafts()
  await clearBrowser()
  return redirectDocument(response.headers.get('Location') ?? '/')
}
