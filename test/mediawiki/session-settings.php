
$folder = getenv('ESPALIER_WIKI');
if (PHP_SAPI !== 'cli') {
    $key = $_COOKIE['wiki_session'] ?? '';
    if (!preg_match('/^[A-Za-z0-9-]{1,64}$/', $key) || !file_exists("$folder/sessions/$key.sqlite")) {
        http_response_code(503);
        exit('There is no such session. POST /reset with it first.');
    }
    $wgSQLiteDataDir = "$folder/sessions";
    $wgDBname = $key;
}
$wgMainCacheType = $wgMessageCacheType = $wgParserCacheType = CACHE_NONE;
$wgSessionCacheType = CACHE_DB;
$wgObjectCaches[CACHE_DB] = ['class' => SqlBagOStuff::class];
$wgLocalisationCacheConf['store'] = 'array';
$wgJobTypeConf['default'] = ['class' => 'JobQueueDB', 'claimTTL' => 3600];
$wgJobRunRate = 0;
$wgShowExceptionDetails = true;
