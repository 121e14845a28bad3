export default function Page() {
  return (
    <main className="page" id="main">
      <h1>Settings</h1>
    </main>
  )
}
