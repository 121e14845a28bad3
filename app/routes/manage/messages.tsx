export default function Page() {
  return (
    <main className="page" id="main">
      <h1>Messages</h1>
    </main>
  )
}
