/** Everything that the shop keeps as one file, after the owner's password (S-015); Settings and "Import and export" both offer it. */
import { closeAfterwards, PasswordPrompt } from '#app/ui/password-prompt.tsx'

/** `back`: where a wrong password leads. */
export const DownloadAll = ({ back }: { back: string }) => (
  <PasswordPrompt label="Download all data" question="Your password, before everything leaves the house">
    {(prompt) => (
      // A document's own form: the browser saves the answer as a file and stays where it is.
      <form method="post" action="/manage/documents.json" onSubmit={closeAfterwards}>
        <input type="hidden" name="back" value={back} />
        {prompt}
      </form>
    )}
  </PasswordPrompt>
)
