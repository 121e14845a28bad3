import { settingsTexts } from '#app/features/settings/texts.ts'
import { closeDialogAfterSubmit, PasswordPrompt } from '#app/ui/password-prompt.tsx'

/** `back`: the page to which a wrong password leads */
export const DownloadAll = ({ back }: { back: string }) => (
  <PasswordPrompt label={settingsTexts.download} question={settingsTexts.downloadPassword}>
    {(prompt) => (
      // A native form: the browser saves the response as a file and stays on the page.
      <form method="post" action="/manage/documents.json" onSubmit={closeDialogAfterSubmit}>
        <input type="hidden" name="back" value={back} />
        {prompt}
      </form>
    )}
  </PasswordPrompt>
)
