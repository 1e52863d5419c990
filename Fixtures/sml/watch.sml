<?xml version="1.0" encoding="utf-8"?>
<sml xmlns="http://www.suunto.com/schemas/sml"><DeviceLog><Header><Activity>Running</Activity><DateTime>2024-05-17T08:12:30</DateTime></Header><Device><Name>Watch</Name></Device><Samples>
<Sample><HR>2.0000</HR><Temperature>293.15</Temperature><Altitude>540</Altitude><Time>0.2</Time><SampleType>periodic</SampleType></Sample>
<Sample><Latitude>0.819398922556</Latitude><Longitude>0.129981650713</Longitude><EHPE>4</EHPE><Time>0.5</Time><UTC>2024-05-17T06:12:30Z</UTC><SampleType>gps-tiny</SampleType></Sample>
<Sample><HR>2.0333</HR><Temperature>293.15</Temperature><Altitude>540</Altitude><Time>2.2</Time><SampleType>periodic</SampleType></Sample>
<Sample><Latitude>0.819400745665</Latitude><Longitude>0.129986589186</Longitude><EHPE>4</EHPE><Time>2.5</Time><UTC>2024-05-17T06:12:32Z</UTC><SampleType>gps-tiny</SampleType></Sample>
<Sample><HR>2.0667</HR><Temperature>293.15</Temperature><Altitude>541</Altitude><Time>4.2</Time><SampleType>periodic</SampleType></Sample>
<Sample><Latitude>0.819402291132</Latitude><Longitude>0.129992142590</Longitude><EHPE>4</EHPE><Time>4.5</Time><UTC>2024-05-17T06:12:34Z</UTC><SampleType>gps-tiny</SampleType></Sample>
<Sample><HR>2.1000</HR><Temperature>293.15</Temperature><Altitude>541</Altitude><Time>6.2</Time><SampleType>periodic</SampleType></Sample>
<Sample><Latitude>0.819403495025</Latitude><Longitude>0.129998233482</Longitude><EHPE>4</EHPE><Time>6.5</Time><UTC>2024-05-17T06:12:36Z</UTC><SampleType>gps-tiny</SampleType></Sample>
<Sample><HR>2.1333</HR><Temperature>293.15</Temperature><Altitude>542</Altitude><Time>8.2</Time><SampleType>periodic</SampleType></Sample>
<Sample><Latitude>0.819404315107</Latitude><Longitude>0.130004741781</Longitude><EHPE>4</EHPE><Time>8.5</Time><UTC>2024-05-17T06:12:38Z</UTC><SampleType>gps-tiny</SampleType></Sample>
<Sample><HR>2.1667</HR><Temperature>293.15</Temperature><Altitude>542</Altitude><Time>10.2</Time><SampleType>periodic</SampleType></Sample>
<Sample><Latitude>0.819404740178</Latitude><Longitude>0.130011519428</Longitude><EHPE>4</EHPE><Time>10.5</Time><UTC>2024-05-17T06:12:40Z</UTC><SampleType>gps-tiny</SampleType></Sample>
</Samples></DeviceLog></sml>
