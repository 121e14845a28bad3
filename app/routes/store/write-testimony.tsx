export default function Page() {
  return (
    <main className="page" id="main">
      <h1>Testimony</h1>
    </main>
  )
}
