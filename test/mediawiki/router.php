<?php
// MediaWiki behind PHP's own server, with a copy of its database for each session: /reset makes it, /close removes it.
$folder = getenv('ESPALIER_WIKI');
$path = parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH);
if ($path === '/reset' || $path === '/close') {
    $key = json_decode(file_get_contents('php://input'), true)['session'] ?? '';
    if (!preg_match('/^[A-Za-z0-9-]{1,64}$/', $key)) {
        http_response_code(400);
        exit('The body has to name a session.');
    }
    $copy = "$folder/sessions/$key.sqlite";
    if ($path === '/close') {
        if (file_exists($copy)) unlink($copy);
        exit;
    }
    // Renamed when it is whole, so that no worker of the server reads a part of it.
    copy("$folder/wiki.sqlite", "$copy.new");
    rename("$copy.new", $copy);
    setcookie('wiki_session', $key, ['path' => '/']);
    exit;
}
if ($path === '/') {
    header('Location: /index.php/Main_Page');
    exit;
}
return false;
